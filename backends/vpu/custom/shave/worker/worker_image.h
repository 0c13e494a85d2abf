// The program of the process that runs kernels, as a file has it.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_WORKER_IMAGE_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_WORKER_IMAGE_H_

// From the one to the other.
extern "C" const char dovetail_shave_worker_image[];
extern "C" const char dovetail_shave_worker_image_end[];

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_WORKER_IMAGE_H_

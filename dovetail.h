// All that a program needs to run models: include this, link //:dovetail, the
// devices of //backends that it wants and //extensions/ir to read model files.
//
//   dovetail::Core core;
//   auto model = core.Compile("model.xml");
//   if (!model.ok()) return Fail(model.status());
//   auto request = model->NewRequest();
//   …
//   request->SetInput(0, image);
//   request->Infer();
//   auto scores = request->Output(0);
//
// examples/ has whole programs.
#ifndef DOVETAIL_DOVETAIL_H_
#define DOVETAIL_DOVETAIL_H_

#include "dovetail/core/runtime/runtime.h"
#include "dovetail/core/tensor/tensor.h"

#endif  // DOVETAIL_DOVETAIL_H_

"""A sigmoid of fewer instructions, which oneDNN applies to the results of convolutions and products.

As released, it takes some 27 instructions a vector: a polynomial for e^-|x|, before which the range is compared and
limited, and after which the sign is undone. 1 / (1 + 2^(-x * log2 e)) asks nothing of the sign: where the power is
infinite, the quotient is 0. With AVX-512, one instruction takes the fraction of an exponent and another one applies
its whole part, so that 10 are left; with AVX2 they are 15. Swish divides x in place of 1, and multiplies no more.
"""

# Constants are found by a key and a number; these come second under their keys.
_RANGE = (
    "{exp_ln_flt_min_f, {0xc2aeac50, true}}};",
    """{exp_ln_flt_min_f, {0xc2aeac50, true}},
            {exp_log2ef, {0xbfb8aa3b, true}}, // -log2(e)
            {exp_ln_flt_max_f, {0x42ae0000, true}}}; // 87""",
)

# 2^r = 1 + r * (...) for r from 0 to 1, a least-maximum fit with the relative error 8e-8.
_POLYNOMIAL = (
    "{exp_pol, {0x3c07cfce, true}} // p5 = 0.00828929059f",
    """{exp_pol, {0x3c07cfce, true}}, // p5 = 0.00828929059f
            {exp_pol, {0x3f31725d, true}}, // 0.69315131
            {exp_pol, {0x3e75edab, true}}, // 0.24016445
            {exp_pol, {0x3d648e73, true}}, // 0.05579991
            {exp_pol, {0x3c13bc2b, true}}, // 0.00901703
            {exp_pol, {0x3af4ba7d, true}} // 0.00186713""",
)

_LOGISTIC = (
    "    // sign at the end. This is possible due to logistic is symmetric function.\n",
    """    // sign at the end. This is possible due to logistic is symmetric function.
    if (is_superset(isa, avx2)) {
        const Vmm exponent = vmm_src, rest = vmm_aux(0), power = vmm_aux(1);
        if (!is_avx512_) {
            h->uni_vminps(vmm_src, vmm_src, table_val(exp_ln_flt_max_f, 1));
            h->uni_vmaxps(vmm_src, vmm_src, table_val(exp_ln_flt_min_f));
        }
        h->uni_vmulps(exponent, vmm_src, table_val(exp_log2ef, 1));
        if (is_avx512_) {
            h->vreduceps(rest, exponent, _op_floor);
        } else {
            h->uni_vroundps(power, exponent, _op_floor);
            h->uni_vsubps(rest, exponent, power);
            h->uni_vcvtps2dq(exponent, power);
        }
        h->uni_vmovups(power, table_val(exp_pol, 9));
        for (int i = 8; i >= 5; --i)
            h->uni_vfmadd213ps(power, rest, table_val(exp_pol, i));
        h->uni_vfmadd213ps(power, rest, table_val(one));
        if (is_avx512_) {
            h->vscalefps(power, power, exponent);
        } else {
            vec_shift(exponent, exponent, true, n_mantissa_bits_);
            h->uni_vpaddd(power, power, exponent);
        }
        h->uni_vaddps(power, power, table_val(one));
        if (alg_ == alg_kind::eltwise_swish) {
            h->uni_vdivps(vmm_src, vmm_aux(3), power);
        } else {
            h->uni_vmovups(vmm_src, table_val(one));
            h->uni_vdivps(vmm_src, vmm_src, power);
        }
        return;
    }

""",
)

_SWISH = (
    """    // x*alpha
    h->uni_vmulps(vmm_src, vmm_src, table_val(alpha));
    // sigmoid(x*alpha)
    logistic_compute_vector_fwd(vmm_src);
    // x*sigmoid(alpha*x)
    h->uni_vmulps(vmm_src, vmm_src, vmm_aux(3));
""",
    """    // x*alpha
    if (alpha_ != 1.f) h->uni_vmulps(vmm_src, vmm_src, table_val(alpha));
    // sigmoid(x*alpha), or all of it
    logistic_compute_vector_fwd(vmm_src);
    if (!is_superset(isa, avx2))
        h->uni_vmulps(vmm_src, vmm_src, vmm_aux(3));
""",
)

# Replacements in jit_uni_eltwise_injector.cpp: pairs of old and new.
SIGMOID = [_RANGE, _POLYNOMIAL, _LOGISTIC, _SWISH]

"""Activations of fewer instructions, which oneDNN applies to the results of convolutions and products.

As released, a sigmoid takes some 27 instructions a vector: a polynomial for e^-|x|, before which the range is compared
and limited, and after which the sign is undone. 1 / (1 + 2^(-x * log2 e)) asks nothing of the sign: where the power is
infinite, the quotient is 0. With AVX-512, one instruction takes the fraction of an exponent and another one applies
its whole part, so that 10 are left; with AVX2 they are 15.

Swish divides x in place of 1 by that sum, and both forms of GELU do with another exponent:
x * (1 + tanh(u)) / 2 = x / (1 + e^(-2 u)), and the distribution function of the normal distribution is
1 / (1 + 2^t) with t = -x * P(x^2). P is a least-maximum fit of the absolute error of GELU, which is 1e-7 at most; its
leading coefficient makes the exponent go on to infinity, so that it needs no limits. As released, these take tables of
polynomials, whose coefficients are permuted for each vector.
"""

# Constants are found by a key and a number. These come after others under their keys.
_EXPONENTS = (
    "{exp_ln_flt_min_f, {0xc2aeac50, true}}};",
    """{exp_ln_flt_min_f, {0xc2aeac50, true}},
            {exp_log2ef, {0xbfb8aa3b, true}}, // -log2(e)
            {exp_ln_flt_max_f, {0x42fc0000, true}}, // 126
            {exp_ln_flt_min_f, {0xc2fc0000, true}}}; // -126""",
)

# 2^r = 1 + r * (...) for r from 0 to 1, a least-maximum fit with the relative error 8e-8.
_POWER_TERMS = (
    "{exp_pol, {0x3c07cfce, true}} // p5 = 0.00828929059f",
    """{exp_pol, {0x3c07cfce, true}}, // p5 = 0.00828929059f
            {exp_pol, {0x3f31725d, true}}, // 0.69315131
            {exp_pol, {0x3e75edab, true}}, // 0.24016445
            {exp_pol, {0x3d648e73, true}}, // 0.05579991
            {exp_pol, {0x3c13bc2b, true}}, // 0.00901703
            {exp_pol, {0x3af4ba7d, true}} // 0.00186713""",
)

_GELU_TANH_TERMS = (
    "            {gelu_tanh_sqrt_two_over_pi, {0x3f4c422a, true}},\n",
    """            {gelu_tanh_sqrt_two_over_pi, {0x3f4c422a, true}},
            // -2 * log2(e) * sqrt(2 / pi), and 0.044715 of it
            {gelu_tanh_sqrt_two_over_pi, {0xc0135761, true}},
            {gelu_tanh_fitting_const, {0xbdd2d3e8, true}},
""",
)

_GELU_ERF_TERMS = (
    "            {gelu_erf_Abramowitz_Stegun_pol, {0x3f87dc22, true}},",
    """            {gelu_erf_Abramowitz_Stegun_pol, {0x3f87dc22, true}},
            // -P
            {gelu_erf_Abramowitz_Stegun_pol, {0xc0135757, true}}, // -2.3022058
            {gelu_erf_Abramowitz_Stegun_pol, {0xbdd6b723, true}}, // -0.10484149
            {gelu_erf_Abramowitz_Stegun_pol, {0x38cc10ca, true}}, // 9.7306052e-5
            {gelu_erf_Abramowitz_Stegun_pol, {0x3926af68, true}}, // 1.5896338e-4
            {gelu_erf_Abramowitz_Stegun_pol, {0xb73f4e7f, true}}, // -1.1402763e-5
            {gelu_erf_Abramowitz_Stegun_pol, {0x34cd4b39, true}}, // 3.8238957e-7
            {gelu_erf_Abramowitz_Stegun_pol, {0xb1b139a5, true}}, // -5.1579314e-9""",
)

_GELU_TANH_NEEDS_POWERS = (
    "return exp_ || soft_relu_ || gelu_erf_ || mish_;",
    "return exp_ || soft_relu_ || gelu_erf_ || gelu_tanh_ || mish_;",
)

# aux(1) = 2^exponent; aux(0) and the exponent's register are lost. With AVX2 the exponent is limited to +-126.
_POWER = (
    "void jit_uni_eltwise_injector<isa, Wmm>::relu_compute_vector_fwd(",
    """void jit_uni_eltwise_injector<isa, Wmm>::power_compute_vector_fwd(
        const Vmm &exponent) {
    const Vmm rest = vmm_aux(0), power = vmm_aux(1);
    if (is_avx512_) {
        h->vreduceps(rest, exponent, _op_floor);
    } else {
        h->uni_vminps(exponent, exponent, table_val(exp_ln_flt_max_f, 1));
        h->uni_vmaxps(exponent, exponent, table_val(exp_ln_flt_min_f, 1));
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
}

template <cpu_isa_t isa, typename Wmm>
void jit_uni_eltwise_injector<isa, Wmm>::relu_compute_vector_fwd(""",
)

_LOGISTIC = (
    "    // sign at the end. This is possible due to logistic is symmetric function.\n",
    """    // sign at the end. This is possible due to logistic is symmetric function.
    if (is_superset(isa, avx2)) {
        h->uni_vmulps(vmm_src, vmm_src, table_val(exp_log2ef, 1));
        power_compute_vector_fwd(vmm_src);
        h->uni_vaddps(vmm_aux(1), vmm_aux(1), table_val(one));
        h->uni_vmovups(vmm_src, table_val(one));
        h->uni_vdivps(vmm_src, vmm_src, vmm_aux(1));
        return;
    }

""",
)

_SWISH = (
    """    // x*alpha
    h->uni_vmulps(vmm_src, vmm_src, table_val(alpha));
    // sigmoid(x*alpha)
""",
    """    // x*alpha
    if (alpha_ != 1.f) h->uni_vmulps(vmm_src, vmm_src, table_val(alpha));
    if (is_superset(isa, avx2)) {
        h->uni_vmulps(vmm_src, vmm_src, table_val(exp_log2ef, 1));
        power_compute_vector_fwd(vmm_src);
        h->uni_vaddps(vmm_aux(1), vmm_aux(1), table_val(one));
        h->uni_vdivps(vmm_src, vmm_aux(3), vmm_aux(1));
        return;
    }
    // sigmoid(x*alpha)
""",
)

_GELU_TANH = (
    """    h->uni_vmovups(vmm_aux(0), vmm_src);

    // compute G(x) = sqrt_root_two_over_pi * x * (1 + fitting_const * x * x)
""",
    """    if (is_superset(isa, avx2)) {
        h->uni_vmovups(vmm_aux(3), vmm_src);
        h->uni_vmulps(vmm_aux(0), vmm_src, vmm_src);
        h->uni_vmovups(vmm_aux(1), table_val(gelu_tanh_fitting_const, 1));
        h->uni_vfmadd213ps(vmm_aux(1), vmm_aux(0),
                table_val(gelu_tanh_sqrt_two_over_pi, 1));
        h->uni_vmulps(vmm_src, vmm_src, vmm_aux(1));
        power_compute_vector_fwd(vmm_src);
        h->uni_vaddps(vmm_aux(1), vmm_aux(1), table_val(one));
        h->uni_vdivps(vmm_src, vmm_aux(3), vmm_aux(1));
        return;
    }
    h->uni_vmovups(vmm_aux(0), vmm_src);

    // compute G(x) = sqrt_root_two_over_pi * x * (1 + fitting_const * x * x)
""",
)

_GELU_ERF = (
    """    if (is_avx512_) {
        gelu_erf_minimax_approx_compute_vector_fwd(vmm_src);
        return;
    }
""",
    """    if (is_superset(isa, avx2)) {
        h->uni_vmovups(vmm_aux(3), vmm_src);
        h->uni_vmulps(vmm_aux(0), vmm_src, vmm_src);
        h->uni_vmovups(
                vmm_aux(1), table_val(gelu_erf_Abramowitz_Stegun_pol, 11));
        for (int i = 10; i >= 5; --i)
            h->uni_vfmadd213ps(vmm_aux(1), vmm_aux(0),
                    table_val(gelu_erf_Abramowitz_Stegun_pol, i));
        h->uni_vmulps(vmm_src, vmm_src, vmm_aux(1));
        power_compute_vector_fwd(vmm_src);
        h->uni_vaddps(vmm_aux(1), vmm_aux(1), table_val(one));
        h->uni_vdivps(vmm_src, vmm_aux(3), vmm_aux(1));
        return;
    }
""",
)

# x * n / (n + 2) with n = e^x * (e^x + 2). The fraction is 1 from well before x = 22, the lesser of two limits there are.
_MISH = (
    """    h->uni_vminps(vmm_src, vmm_src, table_val(fwd_mish_max_x_for_equation_f));
    exp_compute_vector_fwd(vmm_src);
""",
    """    if (is_superset(isa, avx2)) {
        h->uni_vminps(
                vmm_src, vmm_src, table_val(bwd_mish_max_x_for_equation_f));
        h->uni_vmulps(vmm_src, vmm_src, table_val(exp_log2ef));
        power_compute_vector_fwd(vmm_src);
        h->uni_vaddps(vmm_src, vmm_aux(1), table_val(two));
        h->uni_vmulps(vmm_src, vmm_src, vmm_aux(1));
        h->uni_vaddps(vmm_aux(0), vmm_src, table_val(two));
        h->uni_vdivps(vmm_src, vmm_src, vmm_aux(0));
        h->uni_vmulps(vmm_src, vmm_src, vmm_aux(2));
        return;
    }
    h->uni_vminps(vmm_src, vmm_src, table_val(fwd_mish_max_x_for_equation_f));
    exp_compute_vector_fwd(vmm_src);
""",
)

# What jit_uni_eltwise_injector.hpp has replaced: old and new.
ACTIVATIONS_DECLARATION = (
    "    void swish_compute_vector_fwd(const Vmm &vmm_src);\n",
    """    void swish_compute_vector_fwd(const Vmm &vmm_src);
    void power_compute_vector_fwd(const Vmm &exponent);
""",
)

# What jit_uni_eltwise_injector.cpp has replaced: pairs of old and new.
ACTIVATIONS = [
    _EXPONENTS,
    _POWER_TERMS,
    _GELU_TANH_TERMS,
    _GELU_ERF_TERMS,
    _GELU_TANH_NEEDS_POWERS,
    _POWER,
    _LOGISTIC,
    _SWISH,
    _GELU_TANH,
    _GELU_ERF,
    _MISH,
]

"""Drawing worlds: the kernels of `junqi.belief.sampler`."""

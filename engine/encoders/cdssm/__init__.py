"""C-DSSM: a convolution over the letters of words in windows (Shen et al., CIKM 2014, and its tweaks)."""

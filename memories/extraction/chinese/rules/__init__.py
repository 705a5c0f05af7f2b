"""The rules of Chinese, as patterns with what each says."""

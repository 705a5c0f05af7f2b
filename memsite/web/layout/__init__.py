"""What every page has: navigation, theme, language."""

from memsite.web.layout.choices import choose_theme, get_theme, keep_language
from memsite.web.layout.navigation import register_count

__all__ = ["choose_theme", "get_theme", "keep_language", "register_count"]

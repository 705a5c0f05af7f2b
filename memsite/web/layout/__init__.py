"""What every page has: navigation, theme, language."""

from memsite.web.layout.language import keep_language
from memsite.web.layout.theme import choose_theme, theme_of

__all__ = ["choose_theme", "keep_language", "theme_of"]

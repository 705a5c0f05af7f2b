"""What every page has: navigation, theme, language."""

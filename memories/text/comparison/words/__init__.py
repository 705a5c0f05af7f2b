"""Words as comparison reads them: tokens, numbers, dates, synonyms, in English and Chinese."""

"""What extraction reads: the text a person wrote, its sentences, spans, dates and frames."""

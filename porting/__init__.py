"""Export everything a person has, and import exports of Memsite and of other products."""

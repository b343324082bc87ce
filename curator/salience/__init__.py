"""Which memories matter now: the score, its factors, the pick. Pure; standard library only."""

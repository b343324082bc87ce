"""From raw notes to proposals: classify, nominate, relate, propose, check. It never applies."""

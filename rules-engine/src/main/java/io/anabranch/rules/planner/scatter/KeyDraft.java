package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.rewrite.Piece;
import java.util.List;

/** A column of a leg to sort by, before its weights are known. */
record KeyDraft(int column, List<Piece> expression, boolean descending) {}

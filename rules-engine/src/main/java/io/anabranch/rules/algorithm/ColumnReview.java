package io.anabranch.rules.algorithm;

import java.util.List;

/** An algorithm of several columns that can tell, when it is loaded, whether they suffice. */
public interface ColumnReview {

  /** Names that it needs and {@code columns} lacks, without regard to case. */
  List<String> missing(List<String> columns);
}

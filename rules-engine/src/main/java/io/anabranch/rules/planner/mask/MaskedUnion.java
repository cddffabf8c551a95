package io.anabranch.rules.planner.mask;

import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.planner.mask.QueryBlock.Output;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The SELECTs of a query, whose columns become one: where one of them is masked, all of them are
 * columns of masked tables of one type, or texts. Servers turn the values of one type into another,
 * and warn of what they were: MariaDB of texts beside an INET6.
 */
final class MaskedUnion {

  private final MaskedNames names;
  private final MaskedTables tables;
  private final boolean isBoolean;
  private final List<List<Output>> legs;

  MaskedUnion(MaskedNames names, MaskedTables tables, QueryBlock block) {
    this.names = names;
    this.tables = tables;
    this.isBoolean = block.isBoolean;
    this.legs = block.legs();
  }

  /** The columns of the answer: servers call them as the first SELECT does. */
  List<Output> columns() {
    return legs.isEmpty() ? List.of() : legs.getFirst();
  }

  /** The same behind a list that names them anew. */
  List<Output> columns(List<String> list) {
    List<Output> plain = columns();
    var renamed = new ArrayList<Output>();
    for (int i = 0; i < plain.size(); i++) {
      renamed.add(plain.get(i).called(list.get(i)));
    }
    return renamed;
  }

  /**
   * True if a name became one of a masked column.
   *
   * @throws io.anabranch.rules.error.RefusedException if it cannot be told which column is masked,
   *     or others are beside it
   */
  boolean combine() {
    if (legs.size() < 2) {
      return false;
    }
    if (isBoolean) {
      throw MaskedQuery.refusal("UNION within EXISTS");
    }
    requirePlaces(columns().size());
    boolean hasGrown = false;
    for (int i = 0; i < columns().size(); i++) {
      hasGrown |= combine(i);
    }
    return hasGrown;
  }

  private boolean combine(int place) {
    Masker masker = null;
    boolean isAlike = true;
    var types = new HashSet<String>();
    for (List<Output> leg : legs) {
      Output output = leg.get(place);
      Masker of = names.of(output.column());
      if (of != null && masker != null && !of.equals(masker)) {
        throw MaskedQuery.refusal("UNION of columns that are masked differently");
      }
      masker = of == null ? masker : of;
      String column = output.column();
      if (column != null && tables.masks(output.table(), column)) {
        types.add(tables.type(output.table(), column));
      } else {
        isAlike &= output.isText();
      }
    }
    String name = columns().get(place).name();
    if (masker == null) {
      return false;
    }
    if (!isAlike || types.size() != 1 || types.contains("") || name == null) {
      throw MaskedQuery.refusal(
          "UNION of a column and of what is no column of a masked table of the same type, or has no"
              + " plain name,");
    }
    return names.alias(masker, name);
  }

  /** True if a name became one of a masked column. */
  boolean rename(List<String> list) {
    requirePlaces(list.size());
    boolean hasGrown = false;
    for (int i = 0; i < list.size(); i++) {
      Masker masker = names.of(columns().get(i).column());
      hasGrown |= masker != null && names.alias(masker, list.get(i));
    }
    return hasGrown;
  }

  /** Which place a column has is known where nobody says {@code *}. */
  private void requirePlaces(int width) {
    for (List<Output> leg : legs) {
      if (leg.stream().anyMatch(Output::isStar)) {
        throw MaskedQuery.refusal("* in a UNION, or in front of a list of columns,");
      }
      if (leg.size() != width) {
        throw MaskedQuery.refusal("another number of columns than of names");
      }
    }
  }
}

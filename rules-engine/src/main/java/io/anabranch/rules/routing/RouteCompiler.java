package io.anabranch.rules.routing;

import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.routing.key.BlockColumns;
import io.anabranch.rules.routing.key.ColumnKey;
import io.anabranch.rules.routing.key.Equalities;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.routing.key.Operands;
import io.anabranch.rules.sql.ColumnName;
import io.anabranch.rules.sql.Condition;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.sql.QueryBlock;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compiles the conditions of a query block for one of its sharded tables. */
public final class RouteCompiler {

  private final QueryBlock block;
  private final BlockColumns columns;
  private final Equalities equalities;

  public RouteCompiler(QueryBlock block, BlockColumns columns) {
    this.block = block;
    this.columns = columns;
    this.equalities = new Equalities(block, columns);
  }

  public Equalities equalities() {
    return equalities;
  }

  /**
   * @param position of the table in the block
   */
  public TableRoute compile(ShardedTable table, int position) {
    return compile(table, position, HintValues.NONE);
  }

  /**
   * @param position of the table in the block
   * @param hints of the statement for this table
   */
  public TableRoute compile(ShardedTable table, int position, HintValues hints) {
    var layout = new NodeLayout(table);
    var compilation = new Compilation(table, layout, position);
    var parts = new ArrayList<Filter>();
    Filter hinted = HintFilter.of(table, layout, hints);
    if (hinted != null) {
      parts.add(hinted);
    }
    for (var restriction : block.restrictions()) {
      if (restriction.tables().intersects(compilation.reach)) {
        Filter part = compilation.filter(restriction.condition());
        if (part != null) {
          parts.add(part);
        }
      }
    }
    Filter filter = compilation.all(parts);
    return new TableRoute(layout, compilation.point(filter), filter, compilation.keyLists);
  }

  /** One table's compilation. */
  private final class Compilation {

    private final ShardedTable table;
    private final NodeLayout layout;

    /** Columns whose conditions count, to the sharding column they count for. */
    private final Map<ColumnKey, String> meaning = new HashMap<>();

    private final Map<String, ColumnTargets> targets = new HashMap<>();
    private final ComplexTargets complex;
    private final Map<String, KeyType> types = new HashMap<>();
    private final BitSet reach = new BitSet();
    private final int position;
    private final List<KeyList> keyLists = new ArrayList<>();

    private Compilation(ShardedTable table, NodeLayout layout, int position) {
      this.table = table;
      this.layout = layout;
      this.complex = new ComplexTargets(layout, table);
      this.position = position;
      reach.set(position);
      for (String column : table.shardingColumns()) {
        var own = new ColumnKey(position, column);
        targets.put(column, new ColumnTargets(layout, table, column));
        types.put(column, columns.type(own));
        for (ColumnKey source : equalities.sources(own)) {
          meaning.put(source, column);
          reach.set(source.table());
        }
      }
    }

    private @Nullable Filter filter(Condition condition) {
      return switch (condition) {
        case Condition.And and -> and(and);
        case Condition.Or or -> or(or);
        case Condition.Compare compare -> compare(compare);
        case Condition.In in -> {
          list(in);
          yield keys(in.column(), in.values());
        }
        case Condition.Between between ->
            range(
                between.column(),
                narrowing(between.lower(), between.upper()) ? between.lower() : null,
                true,
                narrowing(between.lower(), between.upper()) ? between.upper() : null,
                true);
        case Condition.Fixed fixed -> FixedFilter.of(fixed);
        case Condition.Truth truth -> FixedFilter.of(truth);
        case Condition.Equal ignored -> null;
        case Condition.Opaque ignored -> null;
      };
    }

    /** With one side opaque, Druid and the database may not agree on where the BETWEEN ends. */
    private static boolean narrowing(Operand lower, Operand upper) {
      return lower != Operand.Opaque.OPAQUE && upper != Operand.Opaque.OPAQUE;
    }

    private @Nullable Filter and(Condition.And and) {
      var parts = new ArrayList<Filter>();
      for (Condition part : and.parts()) {
        Filter filter = filter(part);
        if (filter != null) {
          parts.add(filter);
        }
      }
      return all(parts);
    }

    private @Nullable Filter or(Condition.Or or) {
      var parts = new ArrayList<Filter>();
      for (Condition part : or.parts()) {
        Filter filter = filter(part);
        if (filter == null) {
          return null;
        }
        parts.add(filter);
      }
      return new Filter.Or(List.copyOf(parts));
    }

    private @Nullable Filter compare(Condition.Compare compare) {
      return switch (compare.operator()) {
        case EQUAL -> keys(compare.column(), List.of(compare.value()));
        case NULL_SAFE_EQUAL -> nullSafe(compare);
        case LESS -> range(compare.column(), null, false, compare.value(), false);
        case LESS_OR_EQUAL -> range(compare.column(), null, false, compare.value(), true);
        case GREATER -> range(compare.column(), compare.value(), false, null, false);
        case GREATER_OR_EQUAL -> range(compare.column(), compare.value(), true, null, false);
      };
    }

    /** {@code <=>} is true for NULL rows of outer joins: only values that are no NULL narrow. */
    private @Nullable Filter nullSafe(Condition.Compare compare) {
      Filter keys = keys(compare.column(), List.of(compare.value()));
      return keys == null
          ? null
          : values ->
              Operands.value(compare.value(), values) == SqlValue.Null.NULL
                  ? null
                  : keys.nodes(values);
    }

    private @Nullable Filter keys(ColumnName name, List<Operand> values) {
      String column = shardingColumn(name);
      if (column == null || values.contains(Operand.Opaque.OPAQUE)) {
        return null;
      }
      return complex.decidesBy(column)
          ? both(
              new KeyFilter(target(column), type(column), values),
              new ComplexFilter.Keys(column, type(column), values))
          : new KeyFilter(target(column), type(column), values);
    }

    /** Remembers a list of the table's own sharding column whose values can be told apart. */
    private void list(Condition.In in) {
      ColumnKey key = columns.resolve(in.column());
      String column = key == null || key.table() != position ? null : meaning.get(key);
      if (column == null || !target(column).decides()) {
        return;
      }
      var slots = new ArrayList<Operand.Slot>();
      for (Operand value : in.values()) {
        if (!(value instanceof Operand.Slot slot) || slot.negative()) {
          return;
        }
        slots.add(slot);
      }
      if (slots.size() > 1) {
        keyLists.add(new KeyList(target(column), type(column), slots));
      }
    }

    private @Nullable Filter range(
        ColumnName name,
        @Nullable Operand lower,
        boolean lowerInclusive,
        @Nullable Operand upper,
        boolean upperInclusive) {
      String column = shardingColumn(name);
      Operand from = lower == Operand.Opaque.OPAQUE ? null : lower;
      Operand to = upper == Operand.Opaque.OPAQUE ? null : upper;
      if (column == null || (from == null && to == null) || type(column) == KeyType.OTHER) {
        return null;
      }
      var range =
          new RangeFilter(target(column), type(column), from, lowerInclusive, to, upperInclusive);
      return complex.decidesBy(column)
          ? both(
              range,
              new ComplexFilter.Between(
                  column, type(column), from, lowerInclusive, to, upperInclusive))
          : range;
    }

    /** A condition on a column that one level looks at alone, another together with others. */
    private Filter both(Filter alone, ComplexFilter.Part part) {
      var together = new ComplexFilter(complex, List.of(part));
      return target(part.column()).decides() ? new Filter.And(List.of(alone, together)) : together;
    }

    /** Conditions on columns of a complex strategy count together. */
    private List<Filter> withOneComplex(List<Filter> parts) {
      var together = new ArrayList<ComplexFilter.Part>();
      var others = new ArrayList<Filter>();
      for (Filter part : parts) {
        if (part instanceof ComplexFilter filter) {
          together.addAll(filter.parts());
        } else {
          others.add(part);
        }
      }
      if (!together.isEmpty()) {
        others.add(new ComplexFilter(complex, together));
      }
      return others;
    }

    private @Nullable String shardingColumn(ColumnName name) {
      ColumnKey key = columns.resolve(name);
      return key == null ? null : meaning.get(key);
    }

    private ColumnTargets target(String column) {
      return Objects.requireNonNull(targets.get(column));
    }

    private KeyType type(String column) {
      return Objects.requireNonNull(types.get(column));
    }

    /**
     * Keys first, ranges after them joined to pairs: the cheapest and narrowest first. Ranges of a
     * column that has keys narrow nothing worth asking for, and not all algorithms take them.
     */
    private @Nullable Filter all(List<Filter> parts) {
      var flat = new ArrayList<Filter>();
      for (Filter part : parts) {
        if (part instanceof Filter.And and) {
          flat.addAll(and.parts());
        } else {
          flat.add(part);
        }
      }
      var keyed = new HashSet<ColumnTargets>();
      flat.forEach(
          part ->
              keyed.addAll(part instanceof KeyFilter keys ? List.of(keys.targets()) : List.of()));
      flat.removeIf(part -> part instanceof RangeFilter range && keyed.contains(range.targets()));
      var paired = RangePairs.paired(withOneComplex(flat));
      paired.sort(Comparator.comparingInt(Compilation::cost));
      return switch (paired.size()) {
        case 0 -> null;
        case 1 -> paired.getFirst();
        default -> new Filter.And(List.copyOf(paired));
      };
    }

    private static int cost(Filter filter) {
      return switch (filter) {
        case FixedFilter ignored -> 0;
        case HintFilter ignored -> 0;
        case KeyFilter keys -> keys.keys().size() == 1 ? 0 : 1;
        case RangeFilter ignored -> 3;
        default -> 2;
      };
    }

    /** The allocation-free way, where each level has one key in the conjunction. */
    private @Nullable PointRoute point(@Nullable Filter filter) {
      if (filter == null) {
        return null;
      }
      List<Filter> parts = filter instanceof Filter.And and ? and.parts() : List.of(filter);
      boolean oneSource = layout.dataSources().size() == 1;
      boolean oneTable = true;
      for (int i = 0; i < layout.dataSources().size(); i++) {
        oneTable &= layout.tables(i).size() == 1;
      }
      var bySource = level(table.databaseStrategy(), parts);
      var byTable = level(table.tableStrategy(), parts);
      boolean tablesTell = table.databaseStrategy() instanceof ShardingStrategy.None;
      return (bySource != null || oneSource || (tablesTell && byTable != null))
              && (byTable != null || oneTable)
          ? new PointRoute(layout, bySource, byTable)
          : null;
    }

    private PointRoute.@Nullable Level level(ShardingStrategy strategy, List<Filter> parts) {
      if (!(strategy instanceof ShardingStrategy.Standard standard)) {
        return null;
      }
      var wanted = targets.get(standard.column().toLowerCase(Locale.ROOT));
      for (Filter part : parts) {
        if (part instanceof KeyFilter keys && keys.keys().size() == 1 && keys.targets() == wanted) {
          return new PointRoute.Level(standard.algorithm(), keys.type(), keys.keys().getFirst());
        }
      }
      return null;
    }
  }
}

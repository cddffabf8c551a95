package io.anabranch.rules.table;

import io.anabranch.rules.catalog.OwnTables;
import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks up tables by the names that statements use, for one statement. */
public final class TableDirectory {

  private final PlanTask task;
  private final LogicalDatabase database;

  public TableDirectory(PlanTask task) {
    this.task = task;
    this.database = task.database();
  }

  /**
   * @param qualifier database in front of the name; only the current logical one is possible
   */
  public TablePlace find(@Nullable String qualifier, String name) {
    if (qualifier != null && !qualifier.equalsIgnoreCase(database.name())) {
      if (task.rules().databases().containsKey(qualifier.toLowerCase(Locale.ROOT))) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "a table of another logical database (" + qualifier + "." + name + ")",
            "USE that database first");
      }
      throw ErrorCatalogue.NO_TABLE_OF_NO_DATABASE.refuse(qualifier, name);
    }
    TemporaryTables.Table temporary = task.scope().temporaries().find(name);
    if (temporary != null) {
      return new TablePlace.Single(temporary.endpoint(), temporary.schema().name());
    }
    String key = name.toLowerCase(Locale.ROOT);
    ShardedTable sharded = database.shardedTables().get(key);
    if (sharded != null) {
      return new TablePlace.Sharded(sharded);
    }
    String broadcast = database.broadcastTables().get(key);
    if (broadcast != null) {
      return new TablePlace.Broadcast(broadcast);
    }
    if (actualNames().contains(key) || OwnTables.has(task.rules(), key)) {
      throw unknown(name);
    }
    var search = new SingleTableSearch(task);
    return search
        .find(name)
        .<TablePlace>map(
            found -> {
              var views = new LogicalViews(task);
              boolean isSharded = views.isSharded(found.endpoint(), found.schema());
              return new TablePlace.Single(found.endpoint(), name, isSharded);
            })
        .orElseGet(
            () -> new TablePlace.Absent(search.configured(name).orElse(defaultEndpoint()), name));
  }

  /** Whether a name in front of a table's is no database of the proxy. */
  public boolean isNoDatabase(@Nullable String qualifier) {
    return qualifier != null
        && !qualifier.equalsIgnoreCase(database.name())
        && !task.rules().databases().containsKey(qualifier.toLowerCase(Locale.ROOT));
  }

  /**
   * Of something that is made.
   *
   * @throws io.anabranch.rules.error.RefusedException 1049
   */
  public void requireDatabase(@Nullable String qualifier) {
    if (qualifier != null && isNoDatabase(qualifier)) {
      throw ErrorCatalogue.UNKNOWN_DATABASE.refuse(qualifier);
    }
  }

  /**
   * Of what is dropped. Servers write all that they do not know in one error.
   *
   * @param isConditional whether it is dropped IF EXISTS
   * @param unknown what a server tells
   * @throws io.anabranch.rules.error.RefusedException {@code unknown}, or AB2002 with IF EXISTS
   */
  public void requireDatabases(
      List<TableMention> dropped, boolean isConditional, ErrorCatalogue unknown) {
    String names =
        dropped.stream()
            .filter(table -> isNoDatabase(table.qualifier()))
            .map(table -> table.qualifier() + "." + table.name())
            .collect(Collectors.joining(","));
    if (names.isEmpty()) {
      return;
    }
    throw isConditional
        ? ErrorCatalogue.NOT_SUPPORTED.refuse(
            "DROP … IF EXISTS of what is in no database of the proxy (" + names + ")",
            "leave it out")
        : unknown.refuse(names);
  }

  /** As {@link #find}, but a table that is nowhere is an error. */
  public TablePlace require(@Nullable String qualifier, String name) {
    TablePlace place = find(qualifier, name);
    if (place instanceof TablePlace.Absent) {
      throw unknown(name);
    }
    return place;
  }

  public RuntimeException unknown(String name) {
    return ErrorCatalogue.NO_SUCH_TABLE.refuse(database.name(), name);
  }

  /** Where new single tables go. */
  public String defaultEndpoint() {
    String configured = database.single().defaultDataSource();
    List<String> endpoints = database.endpoints();
    return configured != null && endpoints.contains(configured) ? configured : endpoints.getFirst();
  }

  /** Lower-case names of the parts of sharded tables: clients never see them. */
  public Set<String> actualNames() {
    var tables = new ArrayList<>(database.shardedTables().values());
    tables.addAll(database.setAside().values());
    var names = new HashSet<String>();
    for (ShardedTable table : tables) {
      for (DataNode node : table.nodes()) {
        String actual = node.table().toLowerCase(Locale.ROOT);
        if (!actual.equals(table.name().toLowerCase(Locale.ROOT))) {
          names.add(actual);
        }
      }
    }
    return names;
  }

  /** The part of another table that lies beside a node. */
  public String partner(TableMention other, ShardedTable table, int node) {
    TablePlace place = find(other.qualifier(), other.name());
    if (place instanceof TablePlace.Broadcast broadcast) {
      return broadcast.name();
    }
    if (place instanceof TablePlace.Sharded sharded
        && sharded.table().nodes().size() == table.nodes().size()
        && (sharded.table().name().equals(table.name()) || sharded.table().isBoundTo(table))) {
      DataNode beside = sharded.table().nodes().get(node);
      if (beside.dataSource().equals(table.nodes().get(node).dataSource())) {
        return beside.table();
      }
    }
    throw ErrorCatalogue.NOT_SUPPORTED.refuse(
        "a reference from '"
            + table.name()
            + "' to '"
            + other.name()
            + "', whose rows lie elsewhere",
        "make them binding tables or leave the reference out");
  }
}

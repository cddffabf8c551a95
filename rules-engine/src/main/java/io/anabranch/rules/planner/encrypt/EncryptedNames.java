package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.encrypt.stored.StoredForm;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.MomentaryPlan;
import io.anabranch.rules.task.PlanTask;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What names in a statement mean to the rule: for one statement. Blocks on the catalogue. */
final class EncryptedNames {

  private final PlanTask task;
  private final LogicalDatabase database;
  private final Map<String, Optional<TableSchema>> schemas = new HashMap<>();

  /** That are understood, in lower case. */
  private final Map<String, EncryptedViews.View> views = new HashMap<>();

  /** Whether the statement names a view, over encrypted columns or not. */
  private boolean namesViews;

  /** Of a server's own text: tables by actual names in lower case; null: of a client's. */
  private final @Nullable Map<String, EncryptedTable> told;

  EncryptedNames(PlanTask task) {
    this(task, null);
  }

  /**
   * @param told what names mean in a text of a server's, in lower case
   */
  EncryptedNames(PlanTask task, @Nullable Map<String, EncryptedTable> told) {
    this.task = task;
    this.database = task.database();
    this.told = told;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** Null: it is no table with encrypted columns. */
  @Nullable EncryptedTable table(String name) {
    if (told != null) {
      return told.get(lower(name));
    }
    EncryptedTable table = database.encryption().table(name);
    EncryptedViews.View view = table == null ? view(name) : null;
    return view == null ? table : view.table();
  }

  /**
   * The table that a statement writes or makes; null: it has no encrypted columns.
   *
   * @throws io.anabranch.rules.error.RefusedException if it is one of another database by the name
   *     of an encrypted table: what follows cannot be told apart from that one's
   */
  @Nullable EncryptedTable ownTable(TableMention mention) {
    EncryptedTable table = table(mention.name());
    String qualifier = mention.qualifier();
    if (table != null && qualifier != null && !isOwn(qualifier)) {
      throw otherDatabase(qualifier, mention.name());
    }
    return table;
  }

  /** The refusal of a table that is called like an encrypted one, and is none. */
  static RefusedException otherDatabase(String qualifier, String name) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "a table of another database (%s) of that name ('%s') beside tables with encrypted columns"
            .formatted(qualifier, name),
        "name the tables plainly");
  }

  /**
   * Tables and views with encrypted columns that some token may mean, as clients call them.
   *
   * @param names of the statement, in lower case
   */
  Set<String> mentioned(Set<String> names) {
    var found = new HashSet<String>();
    for (String name : names) {
      if (table(name) != null) {
        found.add(name);
      }
    }
    return found;
  }

  /**
   * What the encrypted columns of tables are called, by clients and by servers; in lower case.
   *
   * @param tables as {@link #mentioned} finds them
   */
  Set<String> columns(Set<String> tables) {
    var columns = new HashSet<String>();
    for (String name : tables) {
      EncryptedTable table = table(name);
      for (EncryptedColumn column : table == null ? List.<EncryptedColumn>of() : table.columns()) {
        columns.add(lower(column.name()));
        column.stored().forEach(stored -> columns.add(lower(stored.name())));
      }
    }
    return columns;
  }

  /**
   * Names that lead past the rule: parts of sharded tables that have encrypted columns, and views
   * over such tables that are not understood. Other views are tables of the rule from here on.
   *
   * @param names of the statement, in lower case
   * @param isRowsAlone whether the statement writes rows into one table that is no view, and reads
   *     nothing: servers are not asked for views then
   * @param isGone whether what has this name (in lower case) is dropped or made anew: what it shows
   *     does not matter
   */
  void refuseDetours(Set<String> names, boolean isRowsAlone, Predicate<String> isGone) {
    for (String name : names) {
      EncryptedTable whole = database.encryptedParts().get(name);
      if (whole != null && table(name) == null) {
        throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
            "naming '" + name + "', a part of it,", whole.name(), "name the table itself");
      }
    }
    if (isRowsAlone) {
      return;
    }
    var read = new EncryptedViews(task);
    for (String view : read.named(names)) {
      EncryptedViews.View known = read.known(view);
      if (known != null) {
        views.put(view, known);
      } else if (!isGone.test(view)) {
        throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
            "the view '" + view + "', whose query is not understood,",
            String.join("' or '", database.encryption().tables().keySet()),
            "query the tables themselves, or make the view through the proxy");
      }
    }
    namesViews = read.areAmong(names);
  }

  /**
   * A plan of the statement, once {@link #refuseDetours} has looked at it: views may be made anew
   * through another proxy, so that a plan over one is for one execution.
   */
  StatementPlan keptOrNot(StatementPlan plan) {
    return namesViews ? new MomentaryPlan(plan) : plan;
  }

  /**
   * A name of a table, of a part of one, or of a view with encrypted columns; null: none of them.
   *
   * @param names in lower case
   */
  @Nullable String any(Set<String> names) {
    for (String name : names) {
      if (table(name) != null || database.encryptedParts().containsKey(name)) {
        return name;
      }
    }
    return new EncryptedViews(task).named(names).stream().findFirst().orElse(null);
  }

  /** Null: that is no view over encrypted columns. */
  EncryptedViews.@Nullable View view(String name) {
    return views.get(lower(name));
  }

  /** Every name of an encrypted table stands where one is read, or in front of a column. */
  void requireUnderstood(StoredText text) {
    SqlTokens tokens = text.tokens();
    for (int token : tokens.all().names(each -> !text.isUnderstood(each))) {
      EncryptedTable table = table(tokens.name(token));
      boolean isOther =
          tokens.isPunctuation(token + 1, '.')
              || tokens.isPunctuation(token - 1, '.')
              || tokens.isWord(token - 1, "OF");
      if (table != null && !isOther) {
        throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
            "its name in this place", table.name(), "name it plainly in FROM");
      }
    }
  }

  /** Whether the database calls a part of the table, or all of it, so. */
  boolean isPart(EncryptedTable table, String actual) {
    return table.name().equalsIgnoreCase(actual)
        || table.equals(database.encryptedParts().get(lower(actual)));
  }

  /**
   * Whether some part of a table still has a plain column by the name of an encrypted one, as while
   * its values are being encrypted. Servers are asked each time.
   */
  boolean hasPlain(EncryptedTable table, EncryptedColumn column) {
    boolean isStored =
        column.stored().stream().anyMatch(each -> each.name().equalsIgnoreCase(column.name()));
    if (isStored) {
      return false;
    }
    String query =
        "SELECT TABLE_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()"
            + " AND COLUMN_NAME = "
            + StoredForm.literal(column.name());
    for (String endpoint : database.endpoints()) {
      for (List<@Nullable String> row : task.catalog().rows(endpoint, query)) {
        if (isPart(table, String.valueOf(row.getFirst()))) {
          return true;
        }
      }
    }
    return false;
  }

  /** The columns of a table as the database has it; empty: it has no such table. */
  Optional<TableSchema> schema(@Nullable String qualifier, String name) {
    return schemas.computeIfAbsent(lower(name), _ -> found(qualifier, name));
  }

  private Optional<TableSchema> found(@Nullable String qualifier, String name) {
    if (qualifier != null && !isOwn(qualifier)) {
      return Optional.empty();
    }
    if (told != null) {
      // servers qualify all names of columns
      return Optional.empty();
    }
    if (database.isPassThrough()) {
      return task.catalog().table(database.endpoints().getFirst(), name);
    }
    return switch (new TableDirectory(task).find(null, name)) {
      case TablePlace.Sharded sharded -> task.catalog().table(sharded.table().nodes());
      case TablePlace.Broadcast one ->
          task.catalog().table(task.nearest(database.endpoints()), one.name());
      case TablePlace.Single one -> task.catalog().table(one.endpoint(), one.name());
      case TablePlace.Absent _ -> Optional.empty();
    };
  }

  /** Whether a name in front of a table's is that of this database, for clients or its server. */
  boolean isOwn(String qualifier) {
    return told != null
        || qualifier.equalsIgnoreCase(database.name())
        || (database.isPassThrough()
            && qualifier.equalsIgnoreCase(
                task.catalog().defaultSchema(database.endpoints().getFirst())));
  }
}

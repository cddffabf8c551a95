package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.planner.encrypt.Source.Output;
import io.anabranch.rules.planner.encrypt.stored.StoredForm;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.syntax.TextEdits;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The views of a database over its encrypted columns. Each is a table with encrypted columns
 * itself: which they are follows from its query, that servers tell over stored columns, read by the
 * same rules as a client's. Blocks on the catalogue.
 */
final class EncryptedViews {

  /** Behind the name of a view's column: what is compared in its place. */
  static final String EQUAL = "$equal";

  /** The same for LIKE. */
  static final String LIKE = "$like";

  private static final String VIEWS =
      "SELECT TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA ="
          + " DATABASE()";

  private static final int VIEW = 0;
  private static final int DEFINITION = 1;

  /**
   * A view that is understood.
   *
   * @param table what it is to clients
   * @param logical what its query names: stored columns in lower case to those that clients know
   * @param isTellable whether its query can be told without what is stored
   */
  record View(EncryptedTable table, Map<String, String> logical, boolean isTellable) {
    View {
      logical = Map.copyOf(logical);
    }
  }

  /** A stored column as a column of its own: what a query's column is made of. */
  private record Origin(EncryptedColumn column, Stored stored) {}

  /** What a view's query names. */
  private static final class Names {
    private final Map<String, EncryptedTable> tables = new HashMap<>();
    private final IdentityHashMap<EncryptedColumn, Origin> origins = new IdentityHashMap<>();

    /** Each stored column of a table is an encrypted column by itself. */
    void add(String actual, EncryptedTable table) {
      var columns = new ArrayList<EncryptedColumn>();
      for (EncryptedColumn column : table.columns()) {
        for (Stored stored : column.stored()) {
          var single = new EncryptedColumn(stored.name(), stored, null, null);
          origins.put(single, new Origin(column, stored));
          columns.add(single);
        }
      }
      tables.put(actual, new EncryptedTable(actual, columns));
    }
  }

  private final PlanTask task;

  /** By endpoint: the query of each view, by its name in lower case. */
  private final Map<String, Map<String, String>> queries = new HashMap<>();

  /** Names that servers were asked for, in lower case. */
  private final Set<String> asked = new HashSet<>();

  /** Those over encrypted columns, in lower case; null: one that is not understood. */
  private final Map<String, @Nullable View> found = new HashMap<>();

  /** Those that read none. */
  private final Set<String> others = new HashSet<>();

  EncryptedViews(PlanTask task) {
    this.task = task;
  }

  /**
   * Null: the server has no table with encrypted columns of this name.
   *
   * @param name in lower case
   */
  private @Nullable EncryptedTable stored(String name) {
    EncryptedTable table = task.database().encryption().tables().get(name);
    return table == null ? task.database().encryptedParts().get(name) : table;
  }

  /**
   * Asks for the views of these names that nobody has asked for yet: a server opens all that it is
   * not told to leave out. They are not remembered, for others make views, too.
   *
   * @param names in lower case
   */
  private void ask(Set<String> names) {
    var wanted = new ArrayList<String>(names.size());
    for (String name : names) {
      if (asked.add(name)) {
        wanted.add(name);
      }
    }
    if (wanted.isEmpty()) {
      return;
    }
    String query = views(wanted);
    for (String endpoint : task.database().endpoints()) {
      for (List<@Nullable String> row : task.catalog().rows(endpoint, query)) {
        String definition = row.get(DEFINITION);
        queries
            .computeIfAbsent(endpoint, _ -> new HashMap<>())
            .put(lower(String.valueOf(row.get(VIEW))), definition == null ? "" : definition);
      }
    }
  }

  private static String views(List<String> names) {
    var query = new StringBuilder(VIEWS);
    String before = " AND LOWER(TABLE_NAME) IN (";
    for (String name : names) {
      if (!isAscii(name)) {
        // of other letters servers have their own idea of what is lower case
        return VIEWS;
      }
      query.append(before).append(StoredForm.literal(name));
      before = ", ";
    }
    return query.append(')').toString();
  }

  private static boolean isAscii(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= 128) {
        return false;
      }
    }
    return true;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /**
   * Those over encrypted columns among the names, or whose queries may not be seen.
   *
   * @param names in lower case
   */
  Set<String> named(Set<String> names) {
    ask(names);
    var named = new HashSet<String>();
    for (Map<String, String> views : List.copyOf(queries.values())) {
      for (String view : List.copyOf(views.keySet())) {
        if (names.contains(view) && isEncrypted(view)) {
          named.add(view);
        }
      }
    }
    return named;
  }

  /**
   * Whether some name is that of a view, over encrypted columns or not.
   *
   * @param names in lower case, which servers have been asked for
   */
  boolean areAmong(Set<String> names) {
    return queries.values().stream()
        .anyMatch(views -> views.keySet().stream().anyMatch(names::contains));
  }

  /** Null: that is none, or one that is not understood. */
  @Nullable View known(String view) {
    return isEncrypted(view) ? found.get(view) : null;
  }

  private boolean isEncrypted(String view) {
    if (!found.containsKey(view) && !others.contains(view)) {
      // a view that reads itself is not understood
      found.put(view, null);
      read(view);
    }
    return found.containsKey(view);
  }

  private void read(String view) {
    boolean reads = false;
    boolean isUnderstood = true;
    View known = null;
    for (Map.Entry<String, Map<String, String>> endpoint : List.copyOf(queries.entrySet())) {
      String query = endpoint.getValue().get(view);
      if (query == null) {
        continue;
      }
      SqlTokens tokens = SqlTokens.of(query);
      boolean reaches = tokens.size() == 0 || reaches(tokens, view);
      View one = reaches ? understood(endpoint.getKey(), view, query, tokens) : null;
      isUnderstood &= !reaches || one != null;
      isUnderstood &= known == null || one == null || isAlike(known, one);
      known = one == null ? known : one;
      reads |= reaches;
    }
    if (reads) {
      found.put(view, isUnderstood ? known : null);
    } else {
      found.remove(view);
      others.add(view);
    }
  }

  private static boolean isAlike(View one, View other) {
    return one.table().columns().equals(other.table().columns());
  }

  private boolean reaches(SqlTokens tokens, String view) {
    ask(tokens.names());
    return tokens.names().stream()
        .anyMatch(name -> stored(name) != null || (isOther(name, view) && isEncrypted(name)));
  }

  private boolean isOther(String name, String view) {
    return !name.equals(view)
        && queries.values().stream().anyMatch(views -> views.containsKey(name));
  }

  private @Nullable View understood(String endpoint, String view, String query, SqlTokens tokens) {
    TableSchema schema = task.catalog().current(endpoint, view).orElse(null);
    Names names = names(tokens, view);
    if (schema == null || names == null) {
      return null;
    }
    try {
      var text = StoredText.told(task, plain(query, tokens));
      var read = new EncryptedNames(task, names.tables);
      var written = new QueryText(text, read);
      Set<String> watched = read.columns(names.tables.keySet());
      watched.addAll(written.aliases());
      new Expressions(text, written, false).write(0, text.tokens().size(), watched);
      read.requireUnderstood(text);
      List<Output> outputs = written.outputs().outputs(QueryLegs.TOP);
      EncryptedTable table = table(view, schema, outputs, names);
      Map<String, String> logical = logical(names);
      return table == null
          ? null
          : new View(
              table, logical == null ? Map.of() : logical, logical != null && !text.hasValues());
    } catch (RefusedException _) {
      return null;
    }
  }

  /** What a query names; null: a view that is not understood is among it. */
  private @Nullable Names names(SqlTokens tokens, String view) {
    var names = new Names();
    for (String name : tokens.names()) {
      EncryptedTable table = stored(name);
      if (table != null) {
        names.add(name, table);
      } else if (isOther(name, view) && isEncrypted(name)) {
        View other = found.get(name);
        if (other == null) {
          return null;
        }
        names.add(name, other.table());
      }
    }
    return names;
  }

  /** A query without what servers write in front of strings: {@code _utf8mb4'a'}. */
  private static String plain(String query, SqlTokens tokens) {
    var plain = new TextEdits(query, tokens);
    for (int token : tokens.all().where(each -> introduces(tokens, each))) {
      plain.remove(token, token + 1);
    }
    return plain.text();
  }

  private static boolean introduces(SqlTokens tokens, int token) {
    return tokens.word(token).startsWith("_") && tokens.kind(token + 1) == TokenKind.STRING;
  }

  /** Null: some column holds what is compared, and not for one that is read. */
  private static @Nullable EncryptedTable table(
      String view, TableSchema schema, List<Output> outputs, Names names) {
    if (outputs.size() != schema.columns().size()) {
      return null;
    }
    var byName = new HashMap<String, Origin>();
    for (int i = 0; i < outputs.size(); i++) {
      EncryptedColumn column = outputs.get(i).column();
      Origin origin = column == null ? null : names.origins.get(column);
      if (column != null && origin == null) {
        return null;
      }
      if (origin != null) {
        byName.put(lower(schema.columns().get(i).name()), origin);
      }
    }
    var columns = new ArrayList<EncryptedColumn>();
    int used = 0;
    for (int i = 0; i < outputs.size(); i++) {
      String name = schema.columns().get(i).name();
      Origin origin = byName.get(lower(name));
      if (origin == null || !origin.stored().equals(origin.column().cipher())) {
        continue;
      }
      Stored equal = beside(byName, origin, name + EQUAL, origin.column().assisted());
      Stored like = beside(byName, origin, name + LIKE, origin.column().like());
      var cipher = new Stored(name, origin.stored().encryptor());
      EncryptedColumn of = origin.column();
      boolean isWhole =
          of.isWhole()
              && (equal == null) == (of.assisted() == null)
              && (like == null) == (of.like() == null);
      var column = new EncryptedColumn(name, cipher, equal, like, isWhole);
      used += column.stored().size();
      columns.add(column);
    }
    return used == byName.size() ? new EncryptedTable(view, columns) : null;
  }

  private static @Nullable Stored beside(
      Map<String, Origin> byName, Origin of, String name, @Nullable Stored stored) {
    Origin origin = byName.get(lower(name));
    boolean belongs =
        origin != null
            && stored != null
            && origin.column().equals(of.column())
            && origin.stored().equals(stored);
    return belongs && stored != null ? new Stored(name, stored.encryptor()) : null;
  }

  /** Null: one name is stored for several columns. */
  private static @Nullable Map<String, String> logical(Names names) {
    var logical = new HashMap<String, String>();
    for (Origin origin : names.origins.values()) {
      String name = origin.column().name();
      String other = logical.put(lower(origin.stored().name()), name);
      if (other != null && !other.equals(name)) {
        return null;
      }
    }
    return logical;
  }
}

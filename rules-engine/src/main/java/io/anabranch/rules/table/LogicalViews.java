package io.anabranch.rules.table;

import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TextEdits;
import io.anabranch.rules.task.PlanScope;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Views over sharded tables. One data source keeps the definition: a real view over the nodes that
 * it has itself, so that every proxy finds it, and its columns, in the catalogue. What it means is
 * the same query over the logical tables.
 */
public final class LogicalViews {

  private final PlanTask task;

  public LogicalViews(PlanTask task) {
    this.task = task;
  }

  /**
   * The query that a view stands for, in logical names.
   *
   * @return null if it is no view, or one that reads what its data source has alone
   * @throws RefusedException if its tables, columns or functions are gone
   */
  public @Nullable String query(String endpoint, TableSchema schema) {
    requireReadable(schema);
    String definition = schema.view();
    if (definition == null) {
      return null;
    }
    Rewriting rewriting = rewriting(endpoint, schema, definition);
    String logical = rewriting.logical();
    if (!rewriting.isSharded) {
      return null;
    }
    rewriting.requireOneCase();
    rewriting.requireSame(schema.name());
    return logical;
  }

  /**
   * For statements that read or write it.
   *
   * @throws RefusedException if it is a view whose tables, columns or functions are gone
   */
  public void requireReadable(TableSchema schema) {
    if (schema.isBroken()) {
      throw ErrorCatalogue.BROKEN_VIEW.refuse(task.database().name(), schema.name());
    }
  }

  /** Whether it is a view, whole or broken, that stands for a query over sharded tables. */
  boolean isSharded(String endpoint, TableSchema schema) {
    String definition = schema.view();
    if (definition == null) {
      return false;
    }
    Rewriting rewriting = rewriting(endpoint, schema, definition);
    rewriting.logical();
    if (rewriting.isSharded) {
      rewriting.requireOneCase();
    }
    return rewriting.isSharded;
  }

  private Rewriting rewriting(String endpoint, TableSchema schema, String definition) {
    if (definition.isEmpty()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the view '" + schema.name() + "', whose definition '" + endpoint + "' does not show,",
          "grant SHOW VIEW to the account of the data source");
    }
    String query = ViewColumns.named(RollupForms.plain(definition), schema);
    return new Rewriting(endpoint, SourceText.of(query, LexerMode.DEFAULT));
  }

  /**
   * The query of a view, in logical names, through which its data source would write to its own
   * part of sharded tables, or to its own copy of broadcast tables alone.
   *
   * @return null if the name stands for something else
   * @throws RefusedException if its tables, columns or functions are gone
   */
  public @Nullable String shared(String endpoint, String name) {
    TableSchema found = task.catalog().table(endpoint, name).orElse(null);
    if (found == null) {
      return null;
    }
    requireReadable(found);
    return shared(endpoint, found, true);
  }

  private @Nullable String shared(String endpoint, TableSchema schema, boolean isPut) {
    String definition = schema.view();
    if (definition == null) {
      return null;
    }
    Rewriting rewriting = rewriting(endpoint, schema, definition);
    String logical = rewriting.logical();
    if (!rewriting.standsFor()) {
      return null;
    }
    if (isPut) {
      rewriting.requireSame(schema.name());
    }
    return logical;
  }

  /** For statements that no {@code ViewWrite} says of the tables. */
  public void refuseWrite(TablePlace place) {
    if (!(place instanceof TablePlace.Single single)) {
      return;
    }
    TableSchema found = task.catalog().table(single.endpoint(), single.name()).orElse(null);
    if (found != null && shared(single.endpoint(), found, false) != null) {
      throw notWritable(single.name());
    }
  }

  public static RefusedException notWritable(String view) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "writing in this way with '" + view + "', a view over sharded or broadcast tables,",
        "use its tables themselves");
  }

  /** Takes schema and actual names out of a definition as servers tell it: all quoted. */
  private final class Rewriting {

    private final String endpoint;
    private final SqlTokens tokens;
    private final String schema;
    private final Map<String, String> actualToLogical = new HashMap<>();
    private final Set<String> actualNames = new HashSet<>();
    private final Map<String, List<DataNode>> parts = new HashMap<>();
    private final TextEdits out;
    private boolean isSharded;
    private boolean isBroadcast;

    /** What it names, as servers and as the proxy know it. */
    private final Set<String> named = new HashSet<>();

    /** Views that it reads which stand for queries, too. */
    private final List<Rewriting> inner = new ArrayList<>();

    /** A table without rules that is called like one with rules but for its case. */
    private @Nullable String otherCase;

    Rewriting(String endpoint, SourceText definition) {
      this.endpoint = endpoint;
      this.tokens = definition.tokens();
      this.out = new TextEdits(definition);
      this.schema = task.catalog().defaultSchema(endpoint);
      know(task.database().shardedTables().values());
      know(task.database().setAside().values());
    }

    private void know(Collection<ShardedTable> tables) {
      for (ShardedTable table : tables) {
        parts.put(table.name(), table.nodes());
        for (DataNode node : table.nodes()) {
          if (node.dataSource().equals(endpoint)) {
            actualToLogical.put(node.table().toLowerCase(Locale.ROOT), table.name());
            actualNames.add(node.table());
          }
        }
      }
    }

    /** What is planned in the view's place has one table for both names. */
    void requireOneCase() {
      if (otherCase != null) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "a view over sharded tables and '"
                + otherCase
                + "', which differs in case alone from a table with rules,",
            "give one of the tables another name");
      }
    }

    /** Whether its data source has only a part of what it reads, or one copy of several. */
    boolean standsFor() {
      return isSharded || isBroadcast;
    }

    /**
     * In the place of the view's name its text, and those of views in it, are read by the session:
     * with its character set, and where its temporary tables are, which views do not see.
     */
    void requireSame(String view) {
      PlanScope scope = task.scope();
      for (String name : named) {
        if (scope.temporaries().find(name) != null) {
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "the view '" + view + "' beside a temporary table '" + name + "'",
              "drop the temporary table");
        }
      }
      String text = out.text();
      boolean escapes = scope.noBackslashEscapes() && text.indexOf('\\') >= 0;
      if (escapes || !scope.charset().newEncoder().canEncode(text)) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "the view '" + view + "' in this sql_mode or character set",
            "use utf8mb4 and no NO_BACKSLASH_ESCAPES");
      }
      inner.forEach(each -> each.requireSame(view));
    }

    /** The text, from which the fields then know what it is about. */
    String logical() {
      for (int token : tokens.all().qualifiers()) {
        if (tokens.isName(token + 2) && tokens.name(token).equalsIgnoreCase(schema)) {
          table(token);
        }
      }
      return out.text();
    }

    /** Handles {@code schema.table}. */
    private void table(int qualifier) {
      int last = qualifier + 2;
      String name = tokens.name(last);
      named.add(name);
      boolean isTold = task.catalog().tellsCase(endpoint);
      String logical =
          isTold && !actualNames.contains(name)
              ? null
              : actualToLogical.get(name.toLowerCase(Locale.ROOT));
      if (logical != null) {
        isSharded = true;
        named.add(logical);
        parts.getOrDefault(logical, List.of()).forEach(node -> named.add(node.table()));
        if (task.database().setAside().containsKey(logical.toLowerCase(Locale.ROOT))) {
          otherCase = logical;
        }
        boolean sameAlias =
            last + 1 < tokens.size()
                && tokens.kind(last + 1) == TokenKind.QUOTED
                && tokens.name(last + 1).equals(logical);
        last += sameAlias ? 1 : 0;
      } else if (!tokens.isPunctuation(last + 1, '.')) {
        String ruled = task.database().ruledNames().get(name.toLowerCase(Locale.ROOT));
        boolean isOther = isTold && ruled != null && !ruled.equals(name);
        otherCase = isOther ? name : otherCase;
        isBroadcast |=
            !isOther
                && task.database().broadcastTables().containsKey(name.toLowerCase(Locale.ROOT));
        underneath(name);
      }
      out.replace(qualifier, last + 1, TableNames.quoted(logical == null ? name : logical));
    }

    /** What a view that this one reads is about. */
    private void underneath(String name) {
      TableSchema found = task.catalog().lasting(endpoint, name).orElse(null);
      String definition = found == null ? null : found.view();
      if (found != null && definition != null) {
        Rewriting rewriting = rewriting(endpoint, found, definition);
        rewriting.logical();
        isSharded |= rewriting.isSharded;
        isBroadcast |= rewriting.isBroadcast;
        otherCase = rewriting.otherCase == null ? otherCase : rewriting.otherCase;
        if (rewriting.standsFor()) {
          inner.add(rewriting);
        }
      }
    }
  }
}

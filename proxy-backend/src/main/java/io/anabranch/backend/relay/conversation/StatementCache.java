package io.anabranch.backend.relay.conversation;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.StartValues;
import io.anabranch.backend.prepared.KeptTypes;
import io.anabranch.backend.prepared.MarkerTypes;
import io.anabranch.backend.prepared.TypesOfStatement;
import io.anabranch.backend.prepared.VariableTypes;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StagedTable;
import io.netty.util.AttributeKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The statements that are prepared on one connection, the least recently used one leaves first.
 * Lives as long as the channel, used on its event loop.
 */
public final class StatementCache {

  private static final AttributeKey<StatementCache> KEY =
      AttributeKey.valueOf(StatementCache.class, "statements");

  private static final int LONG_TEXT = 16 * 1024;

  /** Columns of all statements of a connection, about 300 bytes each; but for the latest one. */
  private static final int MOST_COLUMNS = 4096;

  /**
   * A text with all that a server keeps of the session in which it is prepared: character sets,
   * {@code sql_mode} and the like, whether it has set them or begun with them, the current schema,
   * the types of user variables that it mentions.
   */
  private static final class Key {
    private static final VarHandle LONGS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final long EACH = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;

    /** Null: it is held weakly. */
    private final byte @Nullable [] text;

    /** Of a long text: it is kept by whoever has prepared it, and paid for there. */
    private final @Nullable WeakReference<byte[]> longText;

    private final SessionSettings preparing;
    private final StartValues start;
    private final String schema;
    private final int hash;
    private final boolean mentionsVariable;
    private String variables = "";

    Key(byte[] sql, SessionSettings preparing, StartValues start, String schema) {
      boolean isLong = sql.length > LONG_TEXT;
      this.text = isLong ? null : sql;
      this.longText = isLong ? new WeakReference<>(sql) : null;
      this.preparing = preparing;
      this.start = start;
      this.schema = schema;
      long at = 0;
      long hash = sql.length;
      int i = 0;
      // eight bytes at a time: it is asked for with every execution
      for (; i + Long.BYTES <= sql.length; i += Long.BYTES) {
        long word = (long) LONGS.get(sql, i);
        long signs = word ^ (EACH * '@');
        at |= (signs - EACH) & ~signs & HIGH;
        hash = (hash ^ word) * 0x9E3779B97F4A7C15L;
        hash ^= hash >>> 32;
      }
      for (; i < sql.length; i++) {
        hash = hash * 31 + sql[i];
        at |= sql[i] == '@' ? 1 : 0;
      }
      this.hash = Long.hashCode(hash);
      this.mentionsVariable = at != 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && hash == key.hash
          && preparing.equals(key.preparing)
          && start.equals(key.start)
          && schema.equals(key.schema)
          && variables.equals(key.variables)
          && isSame(sql(), key.sql());
    }

    private byte @Nullable [] sql() {
      return longText == null ? text : longText.get();
    }

    /** A text that nobody has any more is like no other. */
    private static boolean isSame(byte @Nullable [] one, byte @Nullable [] other) {
      return one != null && other != null && Arrays.equals(one, other);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /**
   * The statements of one text; what the server says of it is the same for all of them.
   *
   * @param types null: any execution may have the statement, of which there is one
   * @param lasts whether its tables do; a server resolves a statement of tables that were made anew
   *     once more, with types of what was bound in the place of those that it derived
   * @param definitions of tables when the first of them was prepared: columns are told by that, too
   * @param since {@link System#nanoTime} of that
   */
  private record Text(
      @Nullable MarkerTypes types,
      List<PreparedStatement> statements,
      boolean lasts,
      int definitions,
      long since) {

    boolean holds(int now) {
      return lasts && (types == null || isRecent(now));
    }

    /** Whether its tables are as they were: its columns are those of now. */
    boolean isRecent(int now) {
      return definitions == now && System.nanoTime() - since < LONGEST_NANOS;
    }

    /**
     * Whether a statement that was prepared for these types may stand beside its own.
     *
     * @param other null: for any
     */
    boolean serves(@Nullable MarkerTypes other, int now) {
      if (other == null || types == null) {
        return lasts;
      }
      return other.isSameAs(types) && holds(now);
    }
  }

  /** Tables change without the proxy's hearing of it. */
  private static final long LONGEST_NANOS = 60_000_000_000L;

  private final boolean keepsTypes;
  private final Map<Key, Text> texts = new LinkedHashMap<>(16, 0.75f, true);
  private String schema = "";
  private StartValues start = StartValues.UNKNOWN;
  private int definitions;
  private int own;
  private int size;
  private int columns;

  private StatementCache(boolean keepsTypes) {
    this.keepsTypes = keepsTypes;
  }

  public static StatementCache of(BackendConnection connection) {
    var attribute = connection.channel().attr(KEY);
    StatementCache cache = attribute.get();
    if (cache == null) {
      cache = new StatementCache(KeptTypes.by(connection.serverVersion()));
      attribute.set(cache);
    }
    return cache;
  }

  /** What is known of the tables that statements were prepared for. */
  void definitions(int now) {
    definitions = now + own;
  }

  /** What the connection has where its settings say nothing. */
  void begunWith(StartValues now) {
    start = now;
  }

  /** Tables that nobody else sees have changed, or may have. */
  void ownTablesChanged() {
    own++;
  }

  /** Another schema is the connection's current one: a text means other tables. */
  void entered(String use) {
    schema = use;
  }

  private Key key(byte[] sql, SessionSettings settings, SessionSettings applied) {
    var key = new Key(sql, settings.preparing(), start, schema);
    if (keepsTypes && key.mentionsVariable) {
      key.variables = VariableTypes.in(sql, applied);
    }
    return key;
  }

  /**
   * The statement for an execution.
   *
   * @param settings that it is prepared under
   * @param applied of the connection
   * @return null: one must be prepared
   */
  @Nullable PreparedStatement get(
      ShardQuery query,
      SessionSettings settings,
      SessionSettings applied,
      ExecuteParameters values) {
    Text text = texts.get(key(query.sql(), settings, applied));
    return text == null || !text.holds(definitions) ? null : suiting(text, query, values);
  }

  /** The same where the statement has been prepared a moment ago, for this execution. */
  @Nullable PreparedStatement early(
      ShardQuery query,
      SessionSettings settings,
      SessionSettings applied,
      ExecuteParameters values) {
    Text text = texts.get(key(query.sql(), settings, applied));
    return text == null ? null : suiting(text, query, values);
  }

  private static @Nullable PreparedStatement suiting(
      Text text, ShardQuery query, ExecuteParameters values) {
    List<PreparedStatement> statements = text.statements;
    PreparedStatement unused = null;
    for (int i = 0; i < statements.size(); i++) {
      PreparedStatement each = statements.get(i);
      TypesOfStatement types = each.types();
      if (types == null || types.takes(values, query.parameters())) {
        return each;
      }
      if (!types.isUsed()) {
        unused = each;
      }
    }
    return unused;
  }

  /**
   * Some statement of a text, for the columns that it has now, or the one that suits an execution.
   */
  @Nullable PreparedStatement any(Conversation.Prepare wanted, SessionSettings settings) {
    Text text = texts.get(key(wanted.sql(), settings, settings));
    if (text == null || !text.holds(definitions)) {
      return null;
    }
    Conversation.Execution execution = wanted.execution();
    if (execution == null && !text.isRecent(definitions)) {
      return null;
    }
    return execution == null
        ? text.statements.getLast()
        : suiting(text, execution.query(), execution.values());
  }

  /**
   * Keeps a statement; where nothing tells it from one that is known of the same text, that goes.
   *
   * @param limit how many may stay open
   * @param closed takes the ids of statements that must be closed to make room
   * @return as it is kept
   */
  PreparedStatement put(
      byte[] sql,
      SessionSettings applied,
      PreparedStatement statement,
      int limit,
      IntConsumer closed) {
    Key key = key(sql, applied, applied);
    MarkerTypes types = types(sql, statement);
    Text text = texts.get(key);
    if (text != null && !(text.serves(types, definitions) && text.isRecent(definitions))) {
      text.statements.forEach(each -> closed(each, closed));
      text = null;
    }
    if (text == null) {
      boolean lasts = !keepsTypes || !readsCopies(sql);
      text = new Text(types, new ArrayList<>(1), lasts, definitions, System.nanoTime());
      texts.put(key, text);
    }
    List<PreparedStatement> statements = text.statements;
    statements.removeIf(
        former -> {
          TypesOfStatement of = former.types();
          boolean isAlike = of == null || !of.isUsed();
          if (isAlike) {
            closed(former, closed);
          }
          return isAlike;
        });
    PreparedStatement kept = statement.of(text.types);
    statements.add(kept);
    size++;
    columns += kept.shape().columns().size();
    makeRoom(Math.max(1, limit), closed);
    return kept;
  }

  /** A statement that is not kept, with the types that its executions will have. */
  PreparedStatement alone(byte[] sql, PreparedStatement statement) {
    return statement.of(types(sql, statement));
  }

  /** Warnings of preparing it. MariaDB resolves a statement, and warns, with each execution. */
  int unrepeated(PreparedStatement statement) {
    return keepsTypes ? statement.shape().warnings() : 0;
  }

  private @Nullable MarkerTypes types(byte[] sql, PreparedStatement statement) {
    List<ResultColumn> markers = statement.shape().parameters();
    return keepsTypes && !markers.isEmpty() ? MarkerTypes.of(markers, sql) : null;
  }

  private static boolean readsCopies(byte[] sql) {
    String text = new String(sql, StandardCharsets.ISO_8859_1);
    return text.contains(StagedTable.COPY) || text.contains(StagedTable.GROUPS);
  }

  private void makeRoom(int limit, IntConsumer closed) {
    var oldest = texts.values().iterator();
    while (isFull(limit)) {
      List<PreparedStatement> statements = oldest.next().statements;
      while (isFull(limit) && !statements.isEmpty()) {
        closed(statements.removeFirst(), closed);
      }
      if (statements.isEmpty()) {
        oldest.remove();
      }
    }
  }

  private boolean isFull(int limit) {
    return size > limit || (columns > MOST_COLUMNS && size > 1);
  }

  private void closed(PreparedStatement statement, IntConsumer closed) {
    closed.accept(statement.id());
    forgotten(statement);
  }

  private void forgotten(PreparedStatement statement) {
    size--;
    columns -= statement.shape().columns().size();
  }

  /** Forgets a statement, if it is one of those that are kept. Closing it is the caller's. */
  void remove(PreparedStatement statement) {
    var all = texts.values().iterator();
    while (all.hasNext()) {
      List<PreparedStatement> statements = all.next().statements;
      boolean isGone =
          statements.removeIf(
              each -> {
                boolean isIt = each.id() == statement.id();
                if (isIt) {
                  forgotten(each);
                }
                return isIt;
              });
      if (isGone) {
        if (statements.isEmpty()) {
          all.remove();
        }
        return;
      }
    }
  }

  /**
   * @param closed takes the ids of all
   */
  void clear(IntConsumer closed) {
    for (Text text : texts.values()) {
      text.statements.forEach(statement -> closed.accept(statement.id()));
    }
    texts.clear();
    size = 0;
    columns = 0;
  }

  public int size() {
    return size;
  }
}

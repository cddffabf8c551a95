package io.anabranch.frontend.current;

import io.anabranch.backend.lease.ResolvedVariable;
import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayCursor;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.position.Position;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.CountedTexts;
import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.StatementListener.Lane;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.frontend.session.prepared.Reading;
import io.anabranch.frontend.statement.Tableless;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.effort.PlanningRoom;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TextShapes;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.plan.slot.PreparedSlotValues;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.value.SqlValue;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A session's command and the statement of it that runs: its text, how it was planned, how far it
 * is. State only; one per session, used again for each statement, on the session's event loop but
 * while a virtual thread works for it.
 */
public final class CurrentStatement {

  /** Texts up to this length are written anew: that is cheaper than to keep their packet. */
  private static final int COPIED_BYTES = 8 * 1024;

  /** What MariaDB's compound statements begin with, outside of procedures. */
  private static final Set<String> BLOCKS =
      Set.of("BEGIN", "CASE", "FOR", "IF", "LOOP", "REPEAT", "WHILE");

  private static final byte[] NOTHING = {};

  /** What a character of a text that the proxy writes takes: itself, and its bytes. */
  private static final int WRITTEN_BYTES = 3;

  private static final NameMapping NO_NAMES = NameMapping.ofSchema("");

  private final Session session;
  private final SqlScanner scanner = new SqlScanner();
  private final TextSlotValues textSlots = new TextSlotValues();

  private final Scan ownScan;

  private Scan scan;

  // the command
  private @Nullable ByteBuf packet;
  private byte[] text = NOTHING;
  private int textEnd;

  /** How the text is read. */
  private Reading reading;

  private @Nullable PreparedStatement prepared;

  private ExecuteParameters parameters = ExecuteParameters.NONE;

  private final PreparedSlotValues.Parameters boundParameters =
      new PreparedSlotValues.Parameters() {
        @Override
        public int type(int parameter) {
          return parameters.type(parameter);
        }

        @Override
        public byte @Nullable [] value(int parameter) {
          return parameters.value(parameter);
        }
      };

  private byte @Nullable [] bulk;

  private boolean wantsCursor;

  private boolean fetches;

  private @Nullable RelayCursor cursor;

  private @Nullable PrepareReply prepareReply;

  private boolean prepares;

  private ClientCommand.@Nullable FieldList listed;

  // the statement

  /** Its tokens, once somebody has asked for them. */
  private @Nullable SourceText source;

  private final MemoryCharge sources;
  private boolean whole;
  private boolean replaced;
  private @Nullable Backend backend;

  private @Nullable String preparedIn;

  private @Nullable DatabaseStatement definition;

  private @Nullable StatementPlan plan;
  private NameMapping names = NO_NAMES;
  private Access access = Access.WRITE;

  private long generatedKey;

  private Lane lane = Lane.LOCAL;

  private boolean retried;

  private boolean sharesNoMore;
  private Ruling ruling = Ruling.NONE;

  // in a read/write group

  private @Nullable Member member;

  private @Nullable Position awaited;

  private long tried;

  private @Nullable RuntimeException failure;

  private boolean primaryOnly;

  // its times, System.nanoTime(); 0 for what it never came to
  private long started;
  private long planned;
  private long leased;
  private long answered;

  private final ExecutedStatement executed;

  public CurrentStatement(Session session) {
    this.session = session;
    this.ownScan = new Scan(CountedTexts.room(session));
    this.scan = ownScan;
    this.sources = session.memory().charge(MemoryKind.HEAP, "the tokens of the statement");
    this.executed = new ExecutedStatement(session);
    this.reading = session.language().reading();
  }

  /** What becomes of the answer to COM_STMT_PREPARE. */
  public interface PrepareReply {
    void prepared(List<ResultColumn> columns, int parameterCount, int warnings);
  }

  /** A command with this text. */
  public void command(byte[] sql, ExecuteParameters values) {
    text = sql;
    textEnd = withoutGarbage(sql);
    parameters = values;
  }

  /** As the server does: semicolons and blanks at the end of a packet count for nothing. */
  private static int withoutGarbage(byte[] sql) {
    int end = sql.length;
    while (end > 0 && isGarbage(sql[end - 1])) {
      end--;
    }
    return end;
  }

  private static boolean isGarbage(byte last) {
    return last == ';' || (last >= 0 && last <= ' ');
  }

  /** The packet that the text came in: a long one is sent on as it is, without another copy. */
  public void packet(ByteBuf payload) {
    if (payload.readableBytes() > COPIED_BYTES) {
      packet = payload.retain();
    }
  }

  /**
   * Reads the statement of the command that starts at {@code from}.
   *
   * @param now {@link System#nanoTime}
   */
  public void scan(int from, long now) {
    forgetSource();
    started = now;
    answered = 0;
    executed.begin();
    lane = Lane.LOCAL;
    retried = false;
    sharesNoMore = false;
    ruling = Ruling.NONE;
    member = null;
    awaited = null;
    tried = 0;
    failure = null;
    primaryOnly = false;
    access = Access.WRITE;
    cursor = null;
    replaced = false;
    leased = 0;
    planned = 0;
    names = NO_NAMES;
    PreparedStatement executed = prepared;
    if (executed == null) {
      reading = session.language().reading();
      scan = scan(from);
    } else {
      reading = executed.reading(session.language().reading());
      scan = executed.scan(scanner, textEnd, reading.mode());
    }
    whole = from == 0 && next() < 0 && !isPrepared();
  }

  /** Goes on with another text, of which the rest of the packet stays a part. */
  public void replace(String by) {
    forgetSource();
    if (by.length() > PlanningRoom.LARGE) {
      sources.grow(WRITTEN_BYTES * (long) by.length());
    }
    executed.replaces(scan);
    replaced = true;
    byte[] statement = by.getBytes(reading.charset());
    int next = scan.next();
    if (next < 0) {
      text = statement;
    } else {
      byte[] joined = Arrays.copyOf(statement, statement.length + 1 + textEnd - next);
      joined[statement.length] = ';';
      System.arraycopy(text, next, joined, statement.length + 1, textEnd - next);
      text = joined;
    }
    textEnd = text.length;
    whole = false;
    scan = scanner.scan(text, 0, textEnd, reading.mode(), ownScan);
  }

  private Scan scan(int from) {
    TextShapes shapes = session.deployment().planner().shapes();
    if (!shapes.read(text, from, textEnd, reading.mode(), ownScan)) {
      scanner.scan(text, from, textEnd, reading.mode(), ownScan);
      shapes.learn(ownScan, textEnd, reading.mode());
    }
    return ownScan;
  }

  /** A read failed on its member: another one may do it. */
  public void failedOn(Member where, RuntimeException reason) {
    tried |= where.bit();
    failure = reason;
  }

  /** It is tried there again, although a read has failed there. */
  public void mayTry(Member where) {
    tried &= ~where.bit();
  }

  /** Whether the command is one of the binary protocol. */
  public boolean isPrepared() {
    return prepared != null || prepareReply != null;
  }

  /** The whole command's text. */
  public String commandText() {
    return new String(text, 0, textEnd, reading.charset());
  }

  /** Where the command's next statement starts; -1: this is the last one. */
  public int next() {
    boolean isText = !isPrepared() && session.has(Capability.MULTI_STATEMENTS);
    return StatementPart.next(scan, textEnd, isText && session.deployment().isMariaDb());
  }

  /** Error 1064: there is no statement in front of a semicolon. */
  public RefusedException empty() {
    return StatementPart.empty(scan, textEnd, reading.charset());
  }

  /** The error of a statement that its database knows alone, as if it knew the whole command. */
  public ErrPacket told(ErrPacket error) {
    return isPrepared() ? error : StatementPart.cited(error, scan, textEnd, reading.charset());
  }

  /** Where the next statement starts in {@link #commandText}, in characters. */
  public int nextCharacter() {
    return new String(text, 0, scan.next(), reading.charset()).length();
  }

  /** The statement's text for those who read tokens. */
  public SourceText source() {
    SourceText known = source;
    if (known == null) {
      if (scan.end() - scan.start() > PlanningRoom.LARGE) {
        sources.grow(SourceText.weight(scan));
      }
      known = SourceText.of(scan, reading.charset(), reading.mode());
      source = known;
    }
    return known;
  }

  private void forgetSource() {
    source = null;
    sources.close();
  }

  /** A copy of the statement's bytes. */
  public byte[] sql() {
    return Arrays.copyOfRange(text, scan.start(), scan.end());
  }

  public SlotValues slots() {
    if (!isPrepared()) {
      return textSlots.over(scan, reading.charset(), reading.mode());
    }
    PreparedStatement executed = prepared;
    PreparedSlotValues slots =
        executed == null || replaced
            ? new PreparedSlotValues(scan, reading.charset(), reading.mode())
            : executed.slots(scan, reading);
    slots.bind(parameters.count() == 0 ? null : boundParameters);
    return slots;
  }

  /** How many rows the outermost LIMIT skips; only where there is such a slot. */
  public long skippedRows() {
    return slots().value(scan.offsetSlot()) instanceof SqlValue.Int(long rows) ? rows : 0;
  }

  /** The command that goes on unchanged, in the client's own packet where that can be. */
  public RelayCommand unchanged(BoundPlan.AsIs target) {
    if (whole) {
      ByteBuf own = packet;
      return own == null
          ? new RelayCommand.Query(text, textForm())
          : new RelayCommand.Packet(own.retainedDuplicate(), textForm());
    }
    PreparedStatement statement = prepared;
    if (statement != null && !replaced) {
      return execution(statement.unchanged(target.dataSource()));
    }
    return statement == null
        ? new RelayCommand.Query(sql(), textForm())
        : execution(
            new PreparedStatement(0, sql(), scan.parameterCount()).unchanged(target.dataSource()));
  }

  private ResponseForm textForm() {
    return scan.kind() == StatementKind.CALL
        ? ResponseForm.TEXT_PROCEDURE
        : ResponseForm.TEXT_RESULT;
  }

  /**
   * How it was read when it was prepared, if it would now mean something else; null: it would not.
   */
  @Nullable Reading readOtherwise() {
    Reading now = session.language().reading();
    if (prepared == null || reading.equals(now)) {
      return null;
    }
    boolean isResolvedOtherwise =
        !session.deployment().isMariaDb()
            && !reading.settings().resolvedOtherwise(now.settings()).isEmpty();
    return isResolvedOtherwise || !reading.agrees(now, scan) ? reading : null;
  }

  /**
   * What it was prepared under that the session has otherwise since, if it would now mean something
   * else; null: it would not.
   */
  public @Nullable String preparedUnder() {
    Reading former = readOtherwise();
    Reading now = session.language().reading();
    if (former == null) {
      return null;
    }
    if (!former.agrees(now, scan)) {
      return "character set, collation or sql_mode";
    }
    for (ResolvedVariable each : former.settings().resolvedOtherwise(now.settings())) {
      if (mentions(each)) {
        return each.variable();
      }
    }
    return null;
  }

  private boolean mentions(ResolvedVariable variable) {
    SqlTokens tokens = source().tokens();
    for (int i = 0; i < tokens.size(); i++) {
      if (variable.isAbout(tokens.text(i).toUpperCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }

  /** The command that executes a prepared statement. */
  public RelayCommand execution(ShardQuery query) {
    byte[] rows = bulk;
    if (rows != null) {
      Reading other = readOtherwise();
      return new RelayCommand.Bulk(query, rows, other == null ? null : other.settings());
    }
    if (!wantsCursor) {
      boolean calls = scan.kind() == StatementKind.CALL;
      ResponseForm form = calls ? ResponseForm.PROCEDURE : ResponseForm.BINARY_RESULT;
      Reading other = readOtherwise();
      return new RelayCommand.Execute(
          query,
          parameters(),
          form,
          other == null ? null : other.settings(),
          prepared == null ? null : prepared.columns());
    }
    var opened = new RelayCursor();
    cursor = opened;
    return new RelayCommand.Open(query, parameters(), opened);
  }

  /**
   * The database in which its text was prepared by name; null: it was not, or none was selected.
   */
  public @Nullable String preparedIn() {
    return preparedIn;
  }

  public void preparedIn(@Nullable String database) {
    preparedIn = database;
  }

  /** Whose data sources the statement uses. */
  public Backend targetBackend() {
    Backend on = backend;
    return on == null ? session.anyBackend() : on;
  }

  /** Whether it is certain that it reads no tables, so that it is no transaction. */
  public boolean usesNoTables() {
    return switch (scan.kind()) {
      case SHOW, XA -> true;
      case SELECT, DO, SET ->
          !session.transaction().isAutocommit()
              && (scan.mentionsFrom()
                  ? session.deployment().isMariaDb() && Tableless.readsCatalogue(source().tokens())
                  : Tableless.is(source().tokens()));
      default -> false;
    };
  }

  /** Whether it runs statements of a procedure or a block, COMMIT perhaps. */
  public boolean mayEndTransaction() {
    return switch (scan.kind()) {
      case CALL -> true;
      case OTHER -> isBlock(source().tokens());
      default -> false;
    };
  }

  private static boolean isBlock(SqlTokens tokens) {
    return tokens.size() > 0 && BLOCKS.contains(tokens.text(0).toUpperCase(Locale.ROOT));
  }

  public boolean showsSql() {
    return session.deployment().rules().properties().sqlShow();
  }

  /** The statement has ended, and the command may have another. */
  public void ended() {
    plan = null;
    generatedKey = 0;
    backend = null;
    preparedIn = null;
    definition = null;
    prepares = false;
  }

  /** The command has ended. */
  public void commandEnded() {
    ByteBuf own = packet;
    packet = null;
    if (own != null) {
      own.release();
    }
    prepared = null;
    bulk = null;
    prepareReply = null;
    listed = null;
    wantsCursor = false;
    fetches = false;
    parameters = ExecuteParameters.NONE;
    forgetSource();
    if (text.length > COPIED_BYTES) {
      // nobody counts what idle sessions keep
      text = NOTHING;
      textEnd = 0;
      scan = ownScan;
      ownScan.letGo();
      scanner.letGo();
      executed.letGo();
    }
  }

  /** The statement's place in {@code text}, its slots, kind and fingerprint. */
  public Scan scan() {
    return scan;
  }

  /** What COM_STMT_EXECUTE runs. */
  public @Nullable PreparedStatement prepared() {
    return prepared;
  }

  public void prepared(@Nullable PreparedStatement next) {
    prepared = next;
  }

  public ExecuteParameters parameters() {
    StatementPlan made = plan;
    return made == null || !made.sendsOthers() || parameters.count() == 0
        ? parameters
        : OtherParameters.of(made.sent(slots()), parameters, session.charset());
  }

  /** What COM_STMT_BULK_EXECUTE gives instead of parameters; null: it is no such command. */
  public byte @Nullable [] bulk() {
    return bulk;
  }

  public void bulk(byte @Nullable [] next) {
    bulk = next;
  }

  /** The client wants to fetch the rows in portions. */
  public boolean wantsCursor() {
    return wantsCursor;
  }

  public void wantsCursor(boolean next) {
    wantsCursor = next;
  }

  /** COM_STMT_FETCH runs, and reads from what is open. */
  public boolean fetches() {
    return fetches;
  }

  public void fetches(boolean next) {
    fetches = next;
  }

  /** Where the relay opens it; null where no statement of the client's asks for one. */
  public @Nullable RelayCursor cursor() {
    return cursor;
  }

  public void cursor(@Nullable RelayCursor next) {
    cursor = next;
  }

  /** Set for COM_STMT_PREPARE. */
  public @Nullable PrepareReply prepareReply() {
    return prepareReply;
  }

  public void prepareReply(@Nullable PrepareReply next) {
    prepareReply = next;
  }

  /** It is prepared, by COM_STMT_PREPARE or by PREPARE, and not run. */
  public boolean prepares() {
    return prepares;
  }

  public void prepares(boolean next) {
    prepares = next;
  }

  /** Set for COM_FIELD_LIST. */
  public ClientCommand.@Nullable FieldList listed() {
    return listed;
  }

  public void listed(ClientCommand.@Nullable FieldList next) {
    listed = next;
  }

  public @Nullable Backend backend() {
    return backend;
  }

  public void backend(@Nullable Backend next) {
    backend = next;
  }

  /** What it does to a database as a whole; null: nothing. */
  public @Nullable DatabaseStatement definition() {
    return definition;
  }

  public void definition(@Nullable DatabaseStatement next) {
    definition = next;
  }

  public @Nullable StatementPlan plan() {
    return plan;
  }

  public void plan(@Nullable StatementPlan next) {
    plan = next;
  }

  public NameMapping names() {
    return names;
  }

  public void names(NameMapping next) {
    names = next;
  }

  public Access access() {
    return access;
  }

  public void access(Access next) {
    access = next;
  }

  /** What the client is told as LAST_INSERT_ID(); 0 for what the database says. */
  public long generatedKey() {
    return generatedKey;
  }

  public void generatedKey(long next) {
    generatedKey = next;
  }

  public Lane lane() {
    return lane;
  }

  public void lane(Lane next) {
    lane = next;
  }

  /** It was run once and lost its connection before it could have any effect. */
  public boolean retried() {
    return retried;
  }

  public void retried(boolean next) {
    retried = next;
  }

  /** It was sent on a connection that others use: if it is run again, then on its own. */
  public boolean sharesNoMore() {
    return sharesNoMore;
  }

  public void sharesNoMore(boolean next) {
    sharesNoMore = next;
  }

  /** What rules say of it. */
  public Ruling ruling() {
    return ruling;
  }

  public void ruling(Ruling next) {
    ruling = next;
  }

  /** Where it runs; null before it was found. */
  public @Nullable Member member() {
    return member;
  }

  public void member(@Nullable Member next) {
    member = next;
  }

  /** What the replica is to have applied before it answers; null: nothing in particular. */
  public @Nullable Position awaited() {
    return awaited;
  }

  public void awaited(@Nullable Position next) {
    awaited = next;
  }

  /** Bits of members on which a read has failed, and how the last one failed. */
  public long tried() {
    return tried;
  }

  public @Nullable RuntimeException failure() {
    return failure;
  }

  /** No replica showed in time what the read must see. */
  public boolean primaryOnly() {
    return primaryOnly;
  }

  public void primaryOnly(boolean next) {
    primaryOnly = next;
  }

  /** What is told of it when it has ended. */
  public ExecutedStatement executed() {
    return executed;
  }

  /** Whether it is run, and not only prepared, described or read on. */
  public boolean isExecution() {
    return !prepares && !fetches && listed == null && scan.kind() != StatementKind.EMPTY;
  }

  public long started() {
    return started;
  }

  public long planned() {
    return planned;
  }

  public void planned(long next) {
    planned = next;
  }

  public long leased() {
    return leased;
  }

  public void leased(long next) {
    leased = next;
  }

  public long answered() {
    return answered;
  }

  public void answered(long next) {
    answered = next;
  }
}

package io.anabranch.rules.lexer;

import io.anabranch.rules.lexer.Scan.SlotKind;
import org.jspecify.annotations.Nullable;

/**
 * One pass over a statement's bytes: normal form, fingerprint, slots, kind and the place where the
 * next statement of the packet starts. Follows the server's own lexer (sql_lex.cc), which the
 * manual describes under <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/language-structure.html">Language Structure</a>.
 *
 * <p>It never fails: text that no server would take gets a normal form too, and the server's answer
 * is the error. A literal that cannot be replaced by {@code ?} stays in the normal form as it is:
 * aliases, {@code DATE '..'}, {@code _utf8'..'}, {@code N'..'}, the lengths of types.
 *
 * <p>Reusable, not thread-safe, allocates nothing once the scan's arrays have grown.
 */
public final class SqlScanner {

  /** What the token in front says about a literal that follows it. */
  private enum Before {
    /** Begin, operator, comma, opening parenthesis: an operand follows. */
    OPERAND_EXPECTED,
    /** An unquoted word: it depends on the word. */
    WORD,
    /** A literal, a quoted name, a closing parenthesis: only an alias can follow. */
    OPERAND,
    /** {@code @}: a name follows in whatever quotes. */
    AT,
    /** A point directly behind a name: a name follows. */
    NAME_POINT
  }

  private static final String[] OPERAND_WORDS = {
    "SELECT", "WHERE", "AND", "OR", "XOR", "NOT", "LIKE", "RLIKE", "REGEXP", "BETWEEN", "THEN",
    "ELSE", "WHEN", "CASE", "ON", "HAVING", "BY", "DIV", "MOD", "DISTINCT", "ALL", "RETURNING"
  };

  private static final byte[] NOTHING = {};

  private final StatementWords words = new StatementWords();
  private final Blocks blocks = new Blocks();
  private final Comments comments;
  private final @Nullable TokenRecorder recorder;

  private Scan scan = new Scan();
  private LexerMode mode = LexerMode.DEFAULT;
  private byte[] sql = NOTHING;
  private int pos;
  private int limit;
  private int seen;
  private boolean blankDue;

  /** A comment stands in front of the next token. */
  private boolean commented;

  /** Where the blanks and comments in front of the next token start. */
  private int gap;

  /** UNION or its kin was met outside of all parentheses. */
  private boolean unites;

  /** A clause behind the select list has begun, outside of all parentheses. */
  private boolean behindItems;

  private boolean parenthesised;
  private Before before = Before.OPERAND_EXPECTED;
  private int wordStart;
  private int wordEnd;
  private int wordBeforeStart;
  private int wordBeforeEnd;
  private int typeDepth;
  private int depth;
  private boolean body;

  public SqlScanner() {
    this(null, null);
  }

  /**
   * @param versions which comments are run; null: it is not known
   */
  SqlScanner(@Nullable TokenRecorder recorder, Comments.@Nullable Versions versions) {
    this.recorder = recorder;
    this.comments = new Comments(versions);
  }

  /**
   * Scans the first statement of {@code packet[from, to)}.
   *
   * @param into overwritten; keeps a reference to {@code packet}
   * @return {@code into}
   */
  public Scan scan(byte[] packet, int from, int to, LexerMode lexerMode, Scan into) {
    begin(packet, from, to, lexerMode, into);
    boolean ended = false;
    while (pos < limit && !ended) {
      ended = step();
    }
    into.end = ended ? pos : limit;
    into.next = ended ? comments.behindBlanks(pos + 1) : -1;
    into.ascii = (seen | comments.seen()) >= 0;
    boolean empty = before == Before.OPERAND_EXPECTED && into.normalLength == 0;
    into.kind = empty ? StatementKind.EMPTY : words.kind(parenthesised);
    into.seal();
    scan = into;
    return into;
  }

  /** Keeps nothing of the text that it has scanned. */
  public void letGo() {
    sql = NOTHING;
    words.reset(NOTHING);
    blocks.letGo();
    comments.letGo();
  }

  private void begin(byte[] packet, int from, int to, LexerMode lexerMode, Scan into) {
    into.reset(packet, from);
    words.reset(packet);
    scan = into;
    mode = lexerMode;
    sql = packet;
    pos = from;
    limit = to;
    seen = 0;
    blankDue = false;
    commented = false;
    behindItems = false;
    unites = false;
    parenthesised = false;
    before = Before.OPERAND_EXPECTED;
    wordStart = 0;
    wordEnd = 0;
    wordBeforeStart = 0;
    wordBeforeEnd = 0;
    typeDepth = 0;
    depth = 0;
    blocks.reset(packet, to);
    comments.reset(packet, to);
    body = false;
  }

  /** Takes one token or blank; true at the {@code ;} that ends the statement. */
  private boolean step() {
    byte b = sql[pos];
    switch (ByteClass.of(b)) {
      case ByteClass.BLANK -> {
        blank(pos);
        pos++;
      }
      case ByteClass.NAME -> name(pos);
      case ByteClass.DIGIT -> number();
      case ByteClass.SINGLE_QUOTE -> string();
      case ByteClass.DOUBLE_QUOTE -> {
        if (mode.ansiQuotes()) {
          quotedName((byte) '"');
        } else {
          string();
        }
      }
      case ByteClass.BACK_QUOTE -> quotedName((byte) '`');
      case ByteClass.HASH -> lineComment();
      case ByteClass.MINUS -> {
        if (comments.startsLine(pos)) {
          lineComment();
        } else {
          if (comments.mayStartLine(pos, mode.doubleBytes())) {
            unreadable(pos);
          }
          operator();
        }
      }
      case ByteClass.SLASH -> slash();
      case ByteClass.STAR -> {
        if (comments.closes(pos)) {
          executableEnd();
        } else {
          operator();
        }
      }
      case ByteClass.DOT -> dot();
      case ByteClass.SEMICOLON -> {
        if (endsStatement()) {
          return true;
        }
        punctuation();
      }
      case ByteClass.QUESTION -> marker();
      case ByteClass.AT -> at();
      case ByteClass.OPEN -> open();
      case ByteClass.CLOSE -> close();
      case ByteClass.COMMA -> {
        if (body) {
          blocks.comma(depth);
        }
        punctuation();
      }
      default -> operator();
    }
    return false;
  }

  private byte byteAt(int index) {
    return index < limit ? sql[index] : 0;
  }

  // ---- names

  private void name(int from) {
    int p = pos;
    int bits = 0;
    if (mode.isDoubleByte()) {
      while (p < limit && ByteClass.inName(sql[p])) {
        bits |= sql[p];
        p += isPair(p) ? 2 : 1;
      }
    } else {
      while (p < limit && ByteClass.inName(sql[p])) {
        bits |= sql[p++];
      }
    }
    seen |= bits;
    pos = p;
    if (bits < 0) {
      requireNoBlank(from);
    }
    if (p - from == 1 && p < limit && sql[p] == '\'' && before != Before.NAME_POINT) {
      int letter = sql[from] | 0x20;
      if (letter == 'x' || letter == 'b') {
        binaryString(from, letter == 'x' ? SlotKind.HEX_STRING : SlotKind.BIT_STRING);
        return;
      }
      if (letter == 'n') {
        skipQuoted((byte) '\'');
        keep(from, pos, TokenKind.STRING);
        before = Before.OPERAND;
        return;
      }
    }
    emit(from, p);
    record(TokenKind.WORD, from, p, -1);
    if (before != Before.NAME_POINT) {
      noteWord(from, p);
    } else {
      // MariaDB's functions have a schema, mariadb_schema
      noteIf(from, p, "GET_LOCK", Scan.GET_LOCK);
    }
    boolean qualifies = p < limit && sql[p] == '.';
    boolean adjoins = before == Before.WORD;
    before = Before.WORD;
    wordBeforeStart = adjoins ? wordStart : 0;
    wordBeforeEnd = adjoins ? wordEnd : 0;
    wordStart = from;
    wordEnd = p;
    if (qualifies) {
      namePoint();
    }
  }

  /** What is a name to us may be two to servers. */
  private void requireNoBlank(int from) {
    for (int p = from; p < pos; p++) {
      if (mode.doubleBytes().mayBeBlank(sql[p])) {
        unreadable(from);
      }
    }
  }

  /** Servers take what starts there for an error, or not all for the same. */
  private void unreadable(int from) {
    if (scan.unreadable < 0) {
      scan.unreadable = from;
    }
  }

  /** A point directly behind a name; digits after it belong to a name: {@code t1.2e3}. */
  private void namePoint() {
    emit(pos, pos + 1);
    record(TokenKind.PUNCTUATION, pos, pos + 1, -1);
    pos++;
    if (pos < limit && ByteClass.isDigit(sql[pos])) {
      before = Before.NAME_POINT;
      name(pos);
    } else {
      before = Before.NAME_POINT;
    }
  }

  /** What later steps ask for is noted here, so that they need not look for it in the text. */
  private void noteWord(int from, int to) {
    words.add(from, to, depth);
    if (words.mayHaveBody()) {
      noteBlock(from, to);
    }
    switch (to - from) {
      case 3 -> noteOffset(from, to, "ROW");
      case 4 -> {
        noteOffset(from, to, "ROWS");
        noteFetch(from, to, "NEXT");
        noteIf(from, to, "FROM", Scan.FROM);
        behindItems |= depth == 0 && is(from, to, "FROM");
        noteIf(from, to, "INTO", Scan.INTO);
        noteIf(from, to, "NEXT", Scan.SEQUENCE);
      }
      case 5 -> {
        noteFetch(from, to, "FIRST");
        unites |= depth == 0 && is(from, to, "UNION");
        if (depth == 0 && is(from, to, "LIMIT")) {
          scan.limitSlot = scan.slotCount;
          scan.notes |= unites ? Scan.LIMITED : 0;
        } else if (depth == 1 && parenthesised && is(from, to, "LIMIT")) {
          scan.notes |= Scan.LIMITED;
        } else if (is(from, to, "SHARE") && (lastWordIs("FOR") || lastWordIs("IN"))) {
          scan.locking = true;
        }
      }
      case 6 -> {
        unites |= depth == 0 && is(from, to, "EXCEPT");
        if (is(from, to, "UPDATE") && lastWordIs("FOR")) {
          scan.locking = true;
        } else if (depth == 0 && scan.limitSlot >= 0) {
          noteIf(from, to, "OFFSET", Scan.OFFSET);
        }
      }
      case 7 -> {
        noteIf(from, to, "NEXTVAL", Scan.SEQUENCE);
        noteIf(from, to, "LASTVAL", Scan.SEQUENCE);
        noteIf(from, to, "CURRVAL", Scan.SEQUENCE);
      }
      case 8 -> {
        noteIf(from, to, "GET_LOCK", Scan.GET_LOCK);
        noteIf(from, to, "PREVIOUS", Scan.SEQUENCE);
      }
      case 9 -> {
        noteIf(from, to, "TEMPORARY", Scan.TEMPORARY);
        noteIf(from, to, "RETURNING", Scan.RETURNING);
        behindItems &= depth > 0 || !is(from, to, "RETURNING");
        unites |= depth == 0 && is(from, to, "INTERSECT");
        noteIf(from, to, "ANABRANCH", Scan.OWN_SCHEMA);
      }
      case 14 -> noteIf(from, to, "LAST_INSERT_ID", Scan.LAST_INSERT_ID);
      case 19 -> noteIf(from, to, "SQL_CALC_FOUND_ROWS", Scan.CALC_FOUND_ROWS);
      default -> {}
    }
  }

  /** {@code OFFSET 2 ROWS} without LIMIT. */
  private void noteOffset(int from, int to, String word) {
    if (before == Before.OPERAND
        && scan.limitSlot < 0
        && is(from, to, word)
        && is(wordStart, wordEnd, "OFFSET")) {
      scan.notes |= Scan.LIMITED;
    }
  }

  private void noteFetch(int from, int to, String word) {
    if (lastWordIs("FETCH") && is(from, to, word)) {
      scan.notes |= Scan.LIMITED;
    }
  }

  private void noteIf(int from, int to, String word, int note) {
    if (is(from, to, word)) {
      scan.notes |= note;
    }
  }

  private void noteBlock(int from, int to) {
    if (!body) {
      if (words.startsCompound()) {
        body = true;
        blocks.word(words.start(0), words.end(0), 0, 0, 0, 0, 0);
        return;
      }
      body = words.isBlock() || words.opensBody();
      if (!words.isBlock()) {
        return;
      }
    }
    boolean adjoins = before == Before.WORD;
    blocks.word(
        from,
        to,
        adjoins ? wordStart : 0,
        adjoins ? wordEnd : 0,
        adjoins ? wordBeforeStart : 0,
        adjoins ? wordBeforeEnd : 0,
        depth);
  }

  private boolean is(int from, int to, String word) {
    return StatementWords.matches(sql, from, to, word);
  }

  private boolean lastWordIs(String word) {
    return before == Before.WORD && is(wordStart, wordEnd, word);
  }

  private void quotedName(byte quote) {
    int from = pos;
    skipQuoted(quote);
    emit(from, pos);
    noteIf(from + 1, pos - 1, "ANABRANCH", Scan.OWN_SCHEMA);
    noteQuotedCall(from, "GET_LOCK", Scan.GET_LOCK);
    noteQuotedCall(from, "LAST_INSERT_ID", Scan.LAST_INSERT_ID);
    if (before == Before.AT) {
      record(TokenKind.VARIABLE, from, pos, -1);
    } else {
      record(TokenKind.QUOTED, from, pos, -1);
    }
    before = Before.OPERAND;
    if (pos < limit && sql[pos] == '.') {
      namePoint();
    }
  }

  /** In quotes it is a function as well; blanks may stand in front of its parenthesis. */
  private void noteQuotedCall(int from, String word, int note) {
    if (is(from + 1, pos - 1, word)) {
      int next = comments.behindBlanks(pos);
      boolean isOther = next >= 0 && sql[next] != '(' && comments.behind(next) == next;
      scan.notes |= isOther && sql[next] != '/' ? 0 : note;
    }
  }

  private void dot() {
    if (before != Before.NAME_POINT && ByteClass.isDigit(byteAt(pos + 1))) {
      int from = pos++;
      fraction(from);
      return;
    }
    emit(pos, pos + 1);
    record(TokenKind.PUNCTUATION, pos, pos + 1, -1);
    pos++;
    before = Before.NAME_POINT;
  }

  private void at() {
    int from = pos;
    pos++;
    if (byteAt(pos) == '@') {
      pos++;
    } else if (from > scan.start && endsAccountName(sql[from - 1])) {
      emit(from, pos);
      record(TokenKind.OPERATOR, from, pos, -1);
      before = Before.AT;
      return;
    } else {
      scan.userVariable = true;
    }
    byte c = byteAt(pos);
    if (c == '\'' || c == '"' || c == '`') {
      skipQuoted(c);
    } else {
      while (pos < limit && (ByteClass.inName(sql[pos]) || sql[pos] == '.')) {
        seen |= sql[pos++];
      }
      requireNoBlank(from);
    }
    keep(from, pos, TokenKind.VARIABLE);
    before = Before.OPERAND;
  }

  /** Whether {@code @} behind the byte joins user and host. */
  private static boolean endsAccountName(byte b) {
    return ByteClass.inName(b) || b == '\'' || b == '"' || b == '`';
  }

  // ---- literals

  private void number() {
    int from = pos;
    if (before == Before.NAME_POINT) {
      name(from);
      return;
    }
    if (sql[from] == '0' && (byteAt(from + 1) == 'x' || byteAt(from + 1) == 'b')) {
      if (zeroPrefixed(from)) {
        return;
      }
    }
    int p = from;
    while (p < limit && ByteClass.isDigit(sql[p])) {
      p++;
    }
    pos = p;
    if (p == limit || !ByteClass.inName(sql[p])) {
      if (byteAt(p) == '.') {
        pos++;
        fraction(from);
      } else {
        literal(from, SlotKind.INTEGER);
      }
      return;
    }
    if ((sql[p] | 0x20) == 'e' && exponent(p)) {
      literal(from, SlotKind.FLOAT);
    } else {
      name(from);
    }
  }

  /** {@code 0x1F} and {@code 0b01}; anything else that begins so is a name. */
  private boolean zeroPrefixed(int from) {
    boolean hex = sql[from + 1] == 'x';
    int p = from + 2;
    while (p < limit && (hex ? ByteClass.isHexDigit(sql[p]) : (sql[p] | 1) == '1')) {
      p++;
    }
    if (p == from + 2 || (p < limit && ByteClass.inName(sql[p]))) {
      return false;
    }
    pos = p;
    binary(from, hex ? SlotKind.HEX : SlotKind.BIT);
    return true;
  }

  private void fraction(int from) {
    while (pos < limit && ByteClass.isDigit(sql[pos])) {
      pos++;
    }
    boolean floating = (byteAt(pos) | 0x20) == 'e' && exponent(pos);
    literal(from, floating ? SlotKind.FLOAT : SlotKind.DECIMAL);
  }

  /** Moves behind the exponent that starts at {@code p}, if there is one. */
  private boolean exponent(int p) {
    int q = p + 1;
    byte sign = byteAt(q);
    if (sign == '+' || sign == '-') {
      q++;
    }
    if (!ByteClass.isDigit(byteAt(q))) {
      return false;
    }
    while (q < limit && ByteClass.isDigit(sql[q])) {
      q++;
    }
    pos = q;
    return true;
  }

  private void literal(int from, SlotKind kind) {
    if (typeDepth > 0) {
      keep(from, pos, TokenKind.NUMBER);
    } else {
      slot(from, kind, TokenKind.NUMBER);
    }
    before = Before.OPERAND;
  }

  /** Ends at the first quote: what servers take for no digit is an error in front of it. */
  private void binaryString(int from, SlotKind kind) {
    boolean hex = kind == SlotKind.HEX_STRING;
    int p = pos + 1;
    while (p < limit && (hex ? ByteClass.isHexDigit(sql[p]) : (sql[p] | 1) == '1')) {
      p++;
    }
    if (byteAt(p) == '\'') {
      p++;
    } else {
      scan.openQuote |= p == limit;
      unreadable(from);
    }
    pos = p;
    binary(from, kind);
  }

  private void binary(int from, SlotKind kind) {
    boolean introduced = before == Before.WORD && sql[wordStart] == '_';
    if (introduced) {
      keep(from, pos, TokenKind.BINARY);
    } else {
      slot(from, kind, TokenKind.BINARY);
    }
    before = Before.OPERAND;
  }

  private void string() {
    int from = pos;
    byte quote = sql[from];
    boolean slot =
        before == Before.OPERAND_EXPECTED || (before == Before.WORD && wordTakesOperand());
    boolean ofVariable = before == Before.AT;
    skipQuoted(quote);
    int end = pos;
    while (!ofVariable && nextLiteral()) {
      skipQuoted(sql[pos]);
      end = pos;
    }
    pos = end;
    if (slot) {
      slot(from, SlotKind.STRING, TokenKind.STRING);
    } else {
      keep(from, end, TokenKind.STRING);
    }
    before = Before.OPERAND;
  }

  /** Moves to the quote of a literal that continues the one just read. */
  private boolean nextLiteral() {
    int p = pos;
    for (int behind = p; p < limit; p = behind) {
      behind = comments.behind(p);
      if (behind == p) {
        break;
      }
    }
    if (p == limit || (sql[p] != '\'' && (sql[p] != '"' || mode.ansiQuotes()))) {
      return false;
    }
    pos = p;
    return true;
  }

  private boolean wordTakesOperand() {
    for (String word : OPERAND_WORDS) {
      if (is(wordStart, wordEnd, word)) {
        return true;
      }
    }
    return false;
  }

  /** Moves behind the closing quote; to the end of the text if there is none. */
  private void skipQuoted(byte quote) {
    boolean backslash = mode.escapes(quote);
    int from = pos;
    int p = pos + 1;
    int bits = 0;
    boolean isClosed = false;
    boolean doubleByte = mode.isDoubleByte();
    while (p < limit) {
      byte b = sql[p++];
      bits |= b;
      if (b == quote) {
        isClosed = p == limit || sql[p] != quote;
        if (isClosed) {
          break;
        }
        p++;
      } else if (b == '\\' && backslash) {
        bits |= byteAt(p);
        p++;
      } else if (b < 0 && doubleByte && isPair(p - 1)) {
        p++;
      }
    }
    seen |= bits;
    pos = Math.min(p, limit);
    if (!isClosed) {
      scan.openQuote = true;
      if (!scan.executableComment) {
        unreadable(from);
      }
    }
  }

  private boolean isPair(int at) {
    return at + 1 < limit && mode.doubleBytes().arePair(sql[at], sql[at + 1]);
  }

  private void marker() {
    int from = pos++;
    slot(from, SlotKind.PARAMETER, TokenKind.MARKER);
    before = Before.OPERAND;
  }

  private void slot(int from, SlotKind kind, TokenKind token) {
    int number = scan.slotCount;
    scan.addSlot(from, pos, kind);
    emitBlank(from);
    scan.append(kind.mark);
    record(token, from, pos, number);
  }

  private void keep(int from, int to, TokenKind token) {
    emit(from, to);
    record(token, from, to, -1);
  }

  // ---- punctuation and operators

  private void open() {
    if (scan.normalLength == 0) {
      parenthesised = true;
    }
    depth++;
    if (typeDepth == 0 && before == Before.WORD && opensType()) {
      typeDepth = depth;
    }
    punctuation();
  }

  /** Whether the word in front of a parenthesis is a type, whose length {@code ?} cannot give. */
  private boolean opensType() {
    boolean cast = is(wordBeforeStart, wordBeforeEnd, "AS") && wordBeforeEnd > wordBeforeStart;
    boolean query = is(wordStart, wordEnd, "SELECT") || is(wordStart, wordEnd, "VALUES");
    return (cast && !query)
        || is(wordStart, wordEnd, "DECIMAL")
        || is(wordStart, wordEnd, "CHAR")
        || is(wordStart, wordEnd, "VARCHAR")
        || is(wordStart, wordEnd, "NCHAR")
        || is(wordStart, wordEnd, "BINARY");
  }

  private void close() {
    if (typeDepth == depth) {
      typeDepth = 0;
    }
    depth--;
    punctuation();
    before = Before.OPERAND;
  }

  private void punctuation() {
    emit(pos, pos + 1);
    record(TokenKind.PUNCTUATION, pos, pos + 1, -1);
    pos++;
    before = Before.OPERAND_EXPECTED;
  }

  private void operator() {
    if (sql[pos] == '=' && pos > scan.start && sql[pos - 1] == ':') {
      scan.notes |= Scan.ASSIGNS;
    }
    emit(pos, pos + 1);
    record(TokenKind.OPERATOR, pos, pos + 1, -1);
    pos++;
    before = Before.OPERAND_EXPECTED;
  }

  // ---- ends

  private boolean endsStatement() {
    return !comments.areOpen() && (!body || blocks.areClosed());
  }

  // ---- comments

  private void lineComment() {
    comment(pos);
    pos = comments.behindLine(pos);
  }

  private void slash() {
    if (!comments.startsBlock(pos)) {
      operator();
      return;
    }
    int from = pos;
    if (comments.opens(from)) {
      if (comments.isLeftOut(from)) {
        leftOut(from);
      } else {
        executableStart(from);
      }
      return;
    }
    int behind = comments.behindBlock(from);
    if (!scan.executableComment && !comments.isClosed(from, behind)) {
      unreadable(from);
    }
    if (byteAt(from + 2) == '+') {
      keep(from, behind, TokenKind.OPTIMIZER_HINT);
    } else if (scan.normalLength == 0 && !scan.hasHint()) {
      comments.noteHint(from, behind, scan);
    }
    comment(from);
    pos = behind;
  }

  /** One starts here. */
  private void comment(int from) {
    blank(from);
    commented = true;
    scan.comments = true;
  }

  /** A token from its mark to its end. */
  private void leftOut(int from) {
    pos = comments.behindLeftOut(from);
    if (!comments.isClosed(from, pos)) {
      unreadable(from);
    }
    keep(from, pos, TokenKind.EXECUTABLE_START);
    blank(pos);
  }

  private void executableStart(int from) {
    int text = comments.open(from);
    scan.executableComment = true;
    keep(from, text, TokenKind.EXECUTABLE_START);
    blank(text);
    pos = text;
  }

  private void executableEnd() {
    comments.close();
    keep(pos, pos + 2, TokenKind.EXECUTABLE_END);
    pos += 2;
    blank(pos);
  }

  // ---- output

  /** A blank or a comment starts here. */
  private void blank(int from) {
    if (!blankDue) {
      gap = from;
      blankDue = true;
    }
  }

  /**
   * @param from of the token behind it
   */
  private void emitBlank(int from) {
    if (blankDue) {
      blankDue = false;
      if (scan.normalLength > 0) {
        if ((from != gap + 1 || sql[gap] != ' ') && isInItem(from)) {
          scan.space(gap, from);
          if (recorder != null) {
            recorder.space();
          }
        }
        scan.append((byte) ' ');
      }
      commented = false;
    }
  }

  /**
   * Whether what stands in front of a token may be within the name of a result's column. MariaDB's
   * begin behind the blanks that follow a comma, so with a comment there.
   */
  private boolean isInItem(int token) {
    return depth > 0
        || (!behindItems
            && (commented || scan.normal[scan.normalLength - 1] != ',')
            && !lastWordIs("SELECT")
            && !lastWordIs("DISTINCT")
            && !isWordAt(token, "FROM")
            && !isWordAt(token, "AS"));
  }

  private boolean isWordAt(int from, String word) {
    int to = from + word.length();
    return to <= limit && is(from, to, word) && !ByteClass.inName(byteAt(to));
  }

  private void emit(int from, int to) {
    emitBlank(from);
    scan.append(from, to);
  }

  private void record(TokenKind kind, int from, int to, int slot) {
    scan.tokens++;
    if (recorder != null) {
      recorder.add(kind, from, to, slot, sql);
    }
  }
}

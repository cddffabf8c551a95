package io.anabranch.rules.task;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * A scanned statement whose tokens are read once, for who asks first: what all statements of its
 * plan have in common, so without most comments. Owned by who plans it: one thread at a time.
 */
public final class StatementText {

  private final Scan scan;
  private final Charset charset;
  private final LexerMode mode;
  private final @Nullable SourceText read;
  private @Nullable SourceText source;

  /**
   * @param scan not scanned into again as long as somebody may ask
   * @param read the statement's tokens, where somebody has read them; ignored if he has read them
   *     in another mode
   */
  StatementText(Scan scan, Charset charset, LexerMode mode, @Nullable SourceText read) {
    this.scan = scan;
    this.charset = charset;
    this.mode = mode;
    this.read = read != null && read.isReadAs(charset, mode) ? read : null;
  }

  public SourceText source() {
    SourceText known = source;
    if (known == null) {
      known = read == null ? SourceText.of(scan, charset, mode) : read;
      if (scan.hasComments() && scan.kind().sharesPlans()) {
        known = known.withoutComments();
      }
      source = known;
    }
    return known;
  }
}

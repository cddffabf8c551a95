package io.anabranch.testkit;

import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a class of tests in which a buffer was found that nobody has given back. Netty finds them
 * when they have been collected: the class may be one that ran before.
 */
public final class LostBuffers implements BeforeAllCallback, AfterAllCallback {

  private static final ConcurrentLinkedQueue<String> FOUND = new ConcurrentLinkedQueue<>();

  @Override
  public void beforeAll(ExtensionContext context) {
    watch();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    List<String> found = found();
    if (!found.isEmpty()) {
      throw new AssertionError(
          found.size() + " buffers were never given back: " + String.join("\n", found));
    }
  }

  static void watch() {
    ByteBufUtil.setLeakListener((type, records) -> FOUND.add(type + records));
  }

  /** Since it was last asked: where each was made and used. */
  static List<String> found() {
    var found = new ArrayList<String>();
    for (String each = FOUND.poll(); each != null; each = FOUND.poll()) {
      found.add(each);
    }
    return found;
  }
}

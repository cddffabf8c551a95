package io.anabranch.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class LostBuffersTest {

  /** Netty looks for what has been collected whenever a buffer is made. */
  @Test
  void whatNobodyGivesBackIsFound() {
    LostBuffers.watch();
    LostBuffers.found();
    var found = new ArrayList<String>();
    for (int tries = 0; tries < 1000 && found.isEmpty(); tries++) {
      lose();
      System.gc();
      ByteBufAllocator.DEFAULT.buffer(16).release();
      found.addAll(LostBuffers.found());
    }
    assertThat(found).isNotEmpty();
    assertThat(found.getFirst()).contains("LostBuffersTest.lose");
  }

  private static void lose() {
    ByteBufAllocator.DEFAULT.buffer(16).writeByte(1);
  }
}

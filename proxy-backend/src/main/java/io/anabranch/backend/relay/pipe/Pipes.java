package io.anabranch.backend.relay.pipe;

import io.anabranch.backend.relay.conversation.KeptStatements;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The shared connections of all event loops. Thread-safe. */
public final class Pipes {

  private final KeptStatements kept;
  private final PipeListener listener;
  private final Map<EventLoop, LoopPipes> byLoop = new ConcurrentHashMap<>();

  public Pipes(KeptStatements kept, PipeListener listener) {
    this.kept = kept;
    this.listener = listener;
  }

  /** Those of one loop, for use there. */
  public LoopPipes of(EventLoop loop) {
    LoopPipes known = byLoop.get(loop);
    return known == null
        ? byLoop.computeIfAbsent(loop, each -> new LoopPipes(each, kept, listener, Pipes::onThread))
        : known;
  }

  private static void onThread(Runnable blocking) {
    var _ = Thread.ofVirtual().name("end-shared").start(blocking);
  }
}

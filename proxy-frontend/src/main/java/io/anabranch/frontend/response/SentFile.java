package io.anabranch.frontend.response;

import io.anabranch.backend.execute.source.ClientFile;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.backend.relay.command.FileReceiver;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.LocalInfileRequest;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A client's file for the merge lane: the statement's virtual thread reads what the event loop
 * receives.
 */
public final class SentFile implements ClientFile, FileReceiver {

  private record Part(byte[] content, Runnable taken) {}

  private static final String WHAT = "the file of the client";

  private final ClientSink sink;
  private final SessionMemory memory;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by lock:
  private final Queue<Part> parts = new ArrayDeque<>();
  private boolean opened;
  private boolean ended;
  private boolean gone;
  private boolean dropping;

  /** Why the file is read to its end in vain. */
  private @Nullable RefusedException refusal;

  /** Of the part that was given last. */
  private long given;

  private int sequence;

  /**
   * @param memory what is here of the file is charged to it
   */
  public SentFile(ClientSink sink, SessionMemory memory) {
    this.sink = sink;
    this.memory = memory;
  }

  @Override
  public void open(byte[] name) {
    if (!Capability.has(sink.capabilities(), Capability.LOCAL_FILES)) {
      throw ErrorCatalogue.NO_LOCAL_FILES.refuse();
    }
    lock.lock();
    try {
      if (opened) {
        throw new IllegalStateException("the file is open");
      }
      opened = true;
    } finally {
      lock.unlock();
    }
    sink.channel().eventLoop().execute(() -> request(name));
  }

  private void request(byte[] name) {
    ByteBuf out = sink.channel().alloc().buffer(name.length + 8);
    int start = PacketWriter.begin(out);
    new LocalInfileRequest(name).encode(out);
    int next = PacketWriter.end(out, start, sink.sequence());
    sink.requestFile(out, next, this);
  }

  @Override
  public byte @Nullable [] next() {
    Part part;
    lock.lock();
    try {
      letGo(given);
      given = 0;
      while (parts.isEmpty() && !ended && !gone && refusal == null) {
        changed.awaitUninterruptibly();
      }
      if (gone) {
        throw new ClientGoneException();
      }
      if (refusal != null) {
        throw refusal;
      }
      part = parts.poll();
      given = part == null ? 0 : part.content.length;
    } finally {
      lock.unlock();
    }
    if (part == null) {
      return null;
    }
    sink.channel().eventLoop().execute(part.taken);
    return part.content;
  }

  /** Reads away what is left: the client sends a file to its end before it listens. Blocks. */
  public void close() {
    if (!isOpened()) {
      return;
    }
    lock.lock();
    try {
      dropping = true;
      dropParts();
      letGo(given);
      given = 0;
      while (!ended && !gone) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void letGo(long bytes) {
    if (bytes > 0) {
      memory.give(MemoryKind.HEAP, bytes);
    }
  }

  private void dropParts() {
    for (Part part = parts.poll(); part != null; part = parts.poll()) {
      letGo(part.content.length);
      sink.channel().eventLoop().execute(part.taken);
    }
  }

  public boolean isOpened() {
    lock.lock();
    try {
      return opened;
    } finally {
      lock.unlock();
    }
  }

  /** Of the packet that the client gets next; after {@link #close}. */
  public int sequence() {
    lock.lock();
    try {
      return sequence;
    } finally {
      lock.unlock();
    }
  }

  // ---- on the event loop

  @Override
  public void packet(ByteBuf content, Runnable taken) {
    lock.lock();
    try {
      int length = content.readableBytes();
      boolean isWanted = !dropping && refusal == null;
      if (isWanted) {
        refusal = memory.take(MemoryKind.HEAP, length, WHAT);
      }
      if (isWanted && refusal == null) {
        parts.add(new Part(ByteBufUtil.getBytes(content), taken));
      } else {
        sink.channel().eventLoop().execute(taken);
      }
      content.release();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void end(int nextSequence) {
    lock.lock();
    try {
      ended = true;
      sequence = nextSequence;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void gone() {
    lock.lock();
    try {
      gone = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}

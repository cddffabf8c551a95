package io.anabranch.backend.memory;

/** Where bytes are; each kind has a budget of its own. */
public enum MemoryKind {
  /** Arrays and objects: texts, rows, variables. */
  HEAP("heap"),
  /** Netty's buffers: packets under way. */
  DIRECT("direct memory");

  private final String shown;

  MemoryKind(String shown) {
    this.shown = shown;
  }

  /** As errors and the log name it. */
  public String shown() {
    return shown;
  }
}

package io.anabranch.protocol.compression;

import com.github.luben.zstd.util.Native;
import io.anabranch.protocol.type.Capability;
import org.jspecify.annotations.Nullable;

/**
 * How a client and a server may compress, see <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/connection-compression-control.html">Connection
 * Compression Control</a>.
 */
public enum CompressionAlgorithm {
  ZLIB(Capability.COMPRESS),
  ZSTD(Capability.ZSTD_COMPRESSION);

  private static final int DEFAULT_ZSTD_LEVEL = 3;

  /** Higher ones take an event loop too long; whoever decompresses does not notice. */
  private static final int MAX_ZSTD_LEVEL = 6;

  private final long capability;

  CompressionAlgorithm(long capability) {
    this.capability = capability;
  }

  /** The bit of the handshake. */
  public long capability() {
    return capability;
  }

  /**
   * What both sides have; zlib first, as MySQL. Null: none.
   *
   * @param capabilities that both sides have
   */
  public static @Nullable CompressionAlgorithm negotiated(long capabilities) {
    for (CompressionAlgorithm each : values()) {
      if (Capability.has(capabilities, each.capability)) {
        return each;
      }
    }
    return null;
  }

  /** Whether this machine has it: zstd is native code, which must be unpacked somewhere. */
  public boolean isAvailable() {
    return switch (this) {
      case ZLIB -> true;
      case ZSTD -> isZstdLoaded();
    };
  }

  private static boolean isZstdLoaded() {
    try {
      Native.load();
      return Native.isLoaded();
    } catch (UnsatisfiedLinkError | ExceptionInInitializerError e) {
      return false;
    }
  }

  PacketCodec codec(int zstdLevel) {
    return switch (this) {
      case ZLIB -> new ZlibCodec();
      case ZSTD ->
          new ZstdCodec(zstdLevel <= 0 ? DEFAULT_ZSTD_LEVEL : Math.min(zstdLevel, MAX_ZSTD_LEVEL));
    };
  }
}

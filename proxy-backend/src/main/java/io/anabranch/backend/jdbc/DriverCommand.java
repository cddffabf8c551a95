package io.anabranch.backend.jdbc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.Statement;
import org.mariadb.jdbc.client.Client;
import org.mariadb.jdbc.client.Completion;
import org.mariadb.jdbc.client.Context;
import org.mariadb.jdbc.client.socket.Reader;
import org.mariadb.jdbc.client.socket.Writer;
import org.mariadb.jdbc.client.util.ClosableLock;
import org.mariadb.jdbc.export.ExceptionFactory;
import org.mariadb.jdbc.message.ClientMessage;

/** A command's bytes as the driver sends them; leaves the answer on the driver's reader. */
final class DriverCommand implements ClientMessage {

  private static final Completion ANSWER_IS_READ_LATER = new Completion() {};

  private final byte[] payload;
  private @Nullable Reader reader;

  private DriverCommand(byte[] payload) {
    this.payload = payload;
  }

  /**
   * Sends what {@code command} writes: packets of one command, headers included.
   *
   * @return where its answer is read; it must be read to its end
   * @throws SQLException if the connection is broken; the driver has closed it
   */
  static Reader send(Client client, Consumer<ByteBuf> command) throws SQLException {
    ByteBuf packets = Unpooled.buffer();
    command.accept(packets);
    var message = new DriverCommand(withoutHeaders(packets));
    client.execute(message, true);
    Reader answer = message.reader;
    if (answer == null) {
      throw new SQLException("the driver has not sent the command");
    }
    return answer;
  }

  private static byte[] withoutHeaders(ByteBuf packets) {
    ByteBuf payload = Unpooled.buffer(packets.readableBytes());
    while (packets.isReadable()) {
      int length = packets.readUnsignedMediumLE();
      packets.skipBytes(1);
      payload.writeBytes(packets, length);
    }
    byte[] bytes = new byte[payload.readableBytes()];
    payload.readBytes(bytes);
    return bytes;
  }

  @Override
  public int encode(Writer writer, Context context) throws IOException {
    writer.initPacket();
    writer.writeBytes(payload);
    writer.flush();
    return 1;
  }

  @Override
  public Completion readPacket(
      Statement statement,
      int fetchSize,
      long maxRows,
      int resultSetConcurrency,
      int resultSetType,
      boolean closeOnCompletion,
      Reader answer,
      Writer writer,
      Context context,
      ExceptionFactory exceptionFactory,
      ClosableLock lock,
      boolean traceEnable,
      ClientMessage message,
      Consumer<String> redirect) {
    reader = answer;
    return ANSWER_IS_READ_LATER;
  }

  @Override
  public String description() {
    return "a statement of a client";
  }

  /** Files are asked of nobody. */
  @Override
  public @Nullable InputStream getLocalInfileInputStream() {
    return null;
  }
}

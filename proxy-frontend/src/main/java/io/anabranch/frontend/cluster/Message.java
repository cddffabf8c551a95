package io.anabranch.frontend.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A question of one proxy to another, or its answer: texts in an order that both know. Written it
 * is one text, compressed. Immutable.
 *
 * @param fields the first says what it is; null is NULL
 */
public record Message(List<@Nullable String> fields) {

  /** Of what is written: a registry may take a megabyte. */
  public static final int MOST_CHARACTERS = 900_000;

  /** Of what is read: nobody writes more fields than fit into this. */
  private static final int MOST_BYTES = 64 << 20;

  private static final int NULL = -1;

  public Message {
    fields = Collections.unmodifiableList(new ArrayList<>(fields));
  }

  public static Message of(@Nullable String... fields) {
    return new Message(Arrays.asList(fields));
  }

  /** The first field. */
  public String what() {
    String first = fields.isEmpty() ? null : fields.getFirst();
    return first == null ? "" : first;
  }

  /**
   * A field that is there.
   *
   * @throws IllegalArgumentException if it is not
   */
  public String text(int field) {
    String text = field < fields.size() ? fields.get(field) : null;
    if (text == null) {
      throw new IllegalArgumentException("a message without its field " + field + ": " + what());
    }
    return text;
  }

  /** May have more than {@link #MOST_CHARACTERS}. */
  public String written() {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      out.writeInt(fields.size());
      for (String field : fields) {
        if (field == null) {
          out.writeInt(NULL);
        } else {
          byte[] text = field.getBytes(StandardCharsets.UTF_8);
          out.writeInt(text.length);
          out.write(text);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written", e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /**
   * What {@link #written} gave.
   *
   * @throws IllegalArgumentException for another text
   */
  public static Message read(String written) {
    byte[] bytes = Base64.getDecoder().decode(written);
    try (var in = new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes)))) {
      int left = MOST_BYTES;
      int count = in.readInt();
      var fields = new ArrayList<@Nullable String>();
      for (int i = 0; i < count; i++) {
        int length = in.readInt();
        left -= Integer.BYTES + Math.max(0, length);
        if (length < NULL || left < 0) {
          throw new IllegalArgumentException("a message that no proxy has written");
        }
        fields.add(
            length == NULL ? null : new String(in.readNBytes(length), StandardCharsets.UTF_8));
      }
      return new Message(fields);
    } catch (IOException e) {
      throw new IllegalArgumentException("a message that no proxy has written", e);
    }
  }
}

package io.anabranch.registry.zookeeper;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.backend.registry.Revision;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** What nodes hold: JSON, of revisions compressed, because a node holds a megabyte at most. */
final class NodeData {

  private static final Gson GSON = new Gson();

  /** Of any revision that the proxy reads: its files have 4 MiB each at most. */
  private static final int MOST_BYTES = 256 << 20;

  private NodeData() {}

  private record File(String name, String content) {}

  private record Published(
      String author, String member, String token, List<String> changes, List<File> files) {}

  private record Present(String host, int port, String version, long revision, String state) {}

  /**
   * @param token tells one publication from any other
   */
  static byte[] of(Revision revision, String token) {
    var published =
        new Published(
            revision.author(),
            revision.member(),
            token,
            revision.changes(),
            revision.texts().stream()
                .map(text -> new File(text.fileName(), text.content()))
                .toList());
    var bytes = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(bytes)) {
      zip.write(GSON.toJson(published).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot be written", e);
    }
    return bytes.toByteArray();
  }

  /**
   * @throws IOException if it is none
   */
  static Revision revision(long number, Instant published, byte[] data) throws IOException {
    try (var zip = new GZIPInputStream(new ByteArrayInputStream(data))) {
      byte[] json = zip.readNBytes(MOST_BYTES);
      Published said = GSON.fromJson(new String(json, StandardCharsets.UTF_8), Published.class);
      return new Revision(
          number,
          published,
          said.author(),
          said.member(),
          said.changes(),
          said.files().stream()
              .map(file -> new ConfigurationText(file.name(), file.content()))
              .toList());
    } catch (JsonParseException e) {
      throw new IOException("revision " + number + " cannot be read", e);
    }
  }

  static byte[] of(ClusterMember member) {
    var present =
        new Present(
            member.host(),
            member.port(),
            member.version(),
            member.revision(),
            member.state().name());
    return GSON.toJson(present).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * @throws IOException if it is none
   */
  static ClusterMember member(String id, byte[] data) throws IOException {
    try {
      Present said = GSON.fromJson(new String(data, StandardCharsets.UTF_8), Present.class);
      return new ClusterMember(
          id,
          said.host(),
          said.port(),
          said.version(),
          said.revision(),
          said.state().equals(ClusterMember.State.OK.name())
              ? ClusterMember.State.OK
              : ClusterMember.State.REFUSED);
    } catch (JsonParseException e) {
      throw new IOException("member " + id + " cannot be read", e);
    }
  }
}

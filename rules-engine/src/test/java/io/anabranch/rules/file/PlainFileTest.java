package io.anabranch.rules.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainFileTest {

  private static final int MEBIBYTE = 1 << 20;

  @TempDir private Path directory;

  @Test
  void isReadToItsEnd() throws IOException {
    Path file = directory.resolve("f");
    Files.writeString(file, "näh");
    assertThat(PlainFile.text(file, MEBIBYTE)).isEqualTo("näh");
    Files.write(file, new byte[MEBIBYTE]);
    assertThat(PlainFile.bytes(file, MEBIBYTE)).hasSize(MEBIBYTE);
    Path link = Files.createSymbolicLink(directory.resolve("l"), file);
    assertThat(PlainFile.bytes(link, MEBIBYTE)).hasSize(MEBIBYTE);
  }

  @Test
  void whatHasNoEndIsNotRead() throws IOException {
    Path large = directory.resolve("large");
    Files.write(large, new byte[MEBIBYTE + 1]);
    assertThatThrownBy(() -> PlainFile.bytes(large, MEBIBYTE))
        .isInstanceOfSatisfying(
            FileSystemException.class,
            refused -> assertThat(refused.getReason()).isEqualTo("is larger than 1 MiB"));
    for (Path other : new Path[] {Path.of("/dev/zero"), directory}) {
      assertThatThrownBy(() -> PlainFile.bytes(other, MEBIBYTE))
          .isInstanceOfSatisfying(
              FileSystemException.class,
              refused -> assertThat(refused.getReason()).isEqualTo("is no plain file"));
    }
    assertThatThrownBy(() -> PlainFile.bytes(directory.resolve("none"), MEBIBYTE))
        .isInstanceOf(NoSuchFileException.class);
    Files.write(large, "näh".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> PlainFile.text(large, MEBIBYTE))
        .isInstanceOf(CharacterCodingException.class);
  }
}

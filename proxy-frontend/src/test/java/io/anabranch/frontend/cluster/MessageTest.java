package io.anabranch.frontend.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {

  @Test
  void whatIsWrittenIsRead() {
    var random = new Random(3);
    for (int length = 0; length < 40; length++) {
      var fields = new ArrayList<@Nullable String>();
      for (int i = 0; i < length; i++) {
        fields.add(
            random.nextInt(4) == 0
                ? null
                : random
                    .ints(random.nextInt(200), 0, 0xD800)
                    .collect(
                        StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString());
      }
      var message = new Message(fields);
      assertThat(Message.read(message.written())).isEqualTo(message);
    }
  }

  @Test
  void saysWhatItIs() {
    Message message = Message.of("kill", null, "3");
    assertThat(message.what()).isEqualTo("kill");
    assertThat(message.text(2)).isEqualTo("3");
    assertThatThrownBy(() -> message.text(1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> message.text(3)).isInstanceOf(IllegalArgumentException.class);
    assertThat(Message.of().what()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "AAAA", "no Base64", "eJw="})
  void whatNobodyHasWrittenIsRefused(String text) {
    assertThatThrownBy(() -> Message.read(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMessageThatClaimsMuchIsRefused() {
    String written = Message.of("x".repeat(80 << 20)).written();
    assertThat(Base64.getDecoder().decode(written).length).isLessThan(Message.MOST_CHARACTERS);
    assertThatThrownBy(() -> Message.read(written)).isInstanceOf(IllegalArgumentException.class);
  }
}

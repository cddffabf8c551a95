package io.anabranch.backend.pool.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LocalSocketTest {

  private static final int TIMES = 300;

  @TempDir Path temporary;

  /** Health is asked again and again while a server is down, and drivers close nothing then. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aServerThatIsDownCostsNoDescriptors() throws IOException {
    var process = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 3306);
    long before = process.getOpenFileDescriptorCount();
    for (int i = 0; i < TIMES; i++) {
      var socket = new LocalSocket(temporary.resolve("absent.sock").toString());
      assertThatThrownBy(() -> socket.connect(address, 1000)).isInstanceOf(IOException.class);
      assertThat(socket.isClosed()).isTrue();
    }
    assertThat(process.getOpenFileDescriptorCount()).isLessThan(before + TIMES);
  }
}

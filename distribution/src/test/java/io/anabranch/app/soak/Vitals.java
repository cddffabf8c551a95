package io.anabranch.app.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What another Java process takes, asked by its own management beans. */
final class Vitals implements AutoCloseable {

  private static final String RESIDENT = "VmRSS:";

  private static final ObjectName DIAGNOSTICS = diagnostics();
  private static final Pattern OTHER =
      Pattern.compile("Other \\(reserved=\\d+, committed=(\\d+)\\)");

  private final Path status;
  private final MBeanServerConnection beans;
  private final JMXConnector connector;
  private final MemoryMXBean memory;
  private final ThreadMXBean threads;
  private final UnixOperatingSystemMXBean system;

  private Vitals(long pid, JMXConnector connector) throws IOException {
    this.beans = connector.getMBeanServerConnection();
    this.status = Path.of("/proc", Long.toString(pid), "status");
    this.connector = connector;
    this.memory = ManagementFactory.getPlatformMXBean(beans, MemoryMXBean.class);
    this.threads = ManagementFactory.getPlatformMXBean(beans, ThreadMXBean.class);
    this.system = ManagementFactory.getPlatformMXBean(beans, UnixOperatingSystemMXBean.class);
  }

  private static ObjectName diagnostics() {
    try {
      return new ObjectName("com.sun.management:type=DiagnosticCommand");
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * @param pid of a process that tracks its native memory
   */
  @SuppressWarnings("BanJNDI") // what is read comes from a process that the test has started
  static Vitals of(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      String address = machine.startLocalManagementAgent();
      machine.detach();
      return new Vitals(pid, JMXConnectorFactory.connect(new JMXServiceURL(address)));
    } catch (AttachNotSupportedException e) {
      throw new IOException(e);
    }
  }

  /** Bytes of heap that live, after a collection. */
  long heap() {
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  /** Bytes outside of the heap that the program has asked for, packets' buffers above all. */
  long direct() throws IOException {
    String summary = command("vmNativeMemory", "summary", "scale=b");
    Matcher other = OTHER.matcher(summary);
    if (!other.find()) {
      throw new IOException("the process tracks no native memory: " + summary);
    }
    return Long.parseLong(other.group(1));
  }

  /** Has Java's Flight Recorder write down what happens from now on. */
  void record() throws IOException {
    command("jfrStart", "name=soak", "settings=default", "maxsize=64m");
  }

  /** Writes what the recorder has of the last hours to a file. */
  void dumpRecording(Path to) throws IOException {
    command("jfrDump", "name=soak", "filename=" + to.toAbsolutePath());
  }

  private String command(String operation, String... arguments) throws IOException {
    try {
      return (String)
          beans.invoke(
              DIAGNOSTICS,
              operation,
              new Object[] {arguments},
              new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new IOException(e);
    }
  }

  /** Bytes in memory as the operating system counts them; 0 where it does not say. */
  long resident() throws IOException {
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith(RESIDENT))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .sum();
  }

  long descriptors() {
    return system.getOpenFileDescriptorCount();
  }

  /** Threads of the operating system. */
  long threads() {
    return threads.getThreadCount();
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}

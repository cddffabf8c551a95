package io.anabranch.benchmarks;

import io.anabranch.rules.algorithm.encrypt.Encryptor;
import io.anabranch.rules.algorithm.encrypt.EncryptorCatalogue;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Values of encrypted columns, as texts: a telephone number on its way there and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EncryptBenchmark {

  private static final String PLAIN = "13800000001";

  private final EncryptorCatalogue catalogue = new EncryptorCatalogue(List.of());
  private final Encryptor aes = catalogue.encryptor("AES", Map.of("aes-key-value", "test"));
  private final Encryptor gcm =
      catalogue.encryptor("AES_GCM", Map.of("key-id", "a", "key-value-a", "test"));
  private final Encryptor hmac =
      catalogue.encryptor("HMAC_SHA256", Map.of("hmac-key-value", "test"));
  private final Encryptor.Decryptor fromAes = Objects.requireNonNull(aes.decryptor());
  private final Encryptor.Decryptor fromGcm = Objects.requireNonNull(gcm.decryptor());
  private final String storedAes = aes.encrypt(PLAIN);
  private final String storedGcm = gcm.encrypt(PLAIN);

  @Benchmark
  public String encryptAes() {
    return aes.encrypt(PLAIN);
  }

  @Benchmark
  public String decryptAes() {
    return fromAes.decrypt(storedAes);
  }

  @Benchmark
  public String encryptGcm() {
    return gcm.encrypt(PLAIN);
  }

  @Benchmark
  public String decryptGcm() {
    return fromGcm.decrypt(storedGcm);
  }

  @Benchmark
  public String digest() {
    return hmac.encrypt(PLAIN);
  }
}

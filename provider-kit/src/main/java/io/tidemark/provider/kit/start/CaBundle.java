package io.tidemark.provider.kit.start;

import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.error.CoreError;
import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Certificates of authorities in a PEM file, trusted instead of those of the Java runtime. */
public final class CaBundle {
  private CaBundle() {}

  /** The file that a setting names; one that cannot be used is a problem. */
  public static Optional<Path> setting(ConfigReader reader, String key) {
    ConfigSource source = reader.source();
    Optional<Path> file =
        source.value(key).map(String::strip).filter(text -> !text.isEmpty()).map(Path::of);
    file.flatMap(CaBundle::problem)
        .ifPresent(
            problem ->
                reader
                    .problems()
                    .add(
                        new ConfigProblem(
                            CoreError.CONFIG_INVALID_VALUE,
                            key,
                            source.value(key).orElse(""),
                            source.origin(key),
                            "is not accepted",
                            problem + ".")));
    return file;
  }

  private static Optional<String> problem(Path file) {
    try {
      read(file);
      return Optional.empty();
    } catch (IllegalArgumentException unusable) {
      return Optional.of(String.valueOf(unusable.getMessage()));
    }
  }

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException naming the file, when there is no certificate in it
   */
  public static TrustManager[] read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (all.isEmpty()) {
        throw new IllegalArgumentException(file + " holds no certificate");
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      @Nullable InputStream empty = null;
      store.load(empty, null);
      int i = 0;
      for (Certificate each : all) {
        store.setCertificateEntry("ca" + i++, each);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory.getTrustManagers();
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          file
              + " cannot be read as certificates: "
              + (e instanceof IOException io ? FileErrorText.of(io) : e.getMessage()),
          e);
    }
  }
}

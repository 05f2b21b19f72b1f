package io.tidemark.testing;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An https server on this machine's loopback address, with a certificate that it signed itself. */
public final class TlsServer implements AutoCloseable {
  /** Of the key store {@code keys.p12} in the folder; its key is {@code k}. */
  public static final String PASSWORD = "changeit";

  private final HttpsServer server;
  private final ExecutorService threads;
  private final Path certificate;

  private TlsServer(HttpsServer server, ExecutorService threads, Path certificate) {
    this.server = server;
    this.threads = threads;
    this.certificate = certificate;
  }

  /**
   * Starts one.
   *
   * @param folder where its keys are put
   */
  public static TlsServer start(Path folder, HttpHandler handler)
      throws IOException, GeneralSecurityException {
    Path keys = folder.resolve("keys.p12");
    Path certificate = folder.resolve("certificate.pem");
    keytool(
        "-genkeypair -alias k -keyalg RSA -dname CN=localhost -ext san=ip:127.0.0.1 -storetype"
            + " PKCS12 -keystore "
            + keys);
    keytool("-exportcert -rfc -alias k -keystore " + keys + " -file " + certificate);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(keys)));
    server.createContext("/", handler);
    ExecutorService threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    server.start();
    return new TlsServer(server, threads, certificate);
  }

  private static SSLContext context(Path file) throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private static void keytool(String words) throws IOException {
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder((tool + " " + words + " -storepass " + PASSWORD).split(" ", -1))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("keytool failed: " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Its address. */
  public URI endpoint() {
    return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
  }

  /** The file of its certificate. */
  public Path certificate() {
    return certificate;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

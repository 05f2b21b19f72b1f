package io.tidemark.kubernetes;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.CertUtils;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.client.utils.Utils;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides how to reach the API server, by the first of: the named kubeconfig, the files of {@code
 * KUBECONFIG}, which are merged, the user's own file, a pod's service account. Stateless.
 */
final class ClientConfig {
  /** As the client library reads it, a property before the variable. */
  private static final String KUBECONFIG = "KUBECONFIG";

  private static final Pattern SOURCE = Pattern.compile("\\[Source: .*?; ");

  private ClientConfig() {}

  /**
   * Reads it.
   *
   * @throws IpamException {@code CLUSTER_ACCESS} when a kubeconfig cannot be read or has no such
   *     context, or nothing names a cluster
   */
  static Config read(ClusterAccess access) {
    Optional<Path> file = access.kubeconfig();
    if (file.isPresent() && !Files.isReadable(file.get())) {
      throw refused("the kubeconfig " + file.get() + " cannot be read");
    }
    if (file.isEmpty()) {
      checkVariable();
    }
    String context = access.context().orElse(null);
    Config config;
    try {
      config =
          file.isPresent()
              ? withProxies(Config.fromKubeconfig(context, file(file.get())))
              : Config.autoConfigure(context);
      TokenFile.of(config, user(config)).ifPresent(config::setOauthTokenProvider);
    } catch (RuntimeException e) { // of the library, or of what it reads YAML with
      throw refused("the kubeconfig is refused: " + withoutQuotes(String.valueOf(e.getMessage())));
    }
    checkContext(config, context);
    if (file.isEmpty()) {
      checkNamed(config);
    }
    return config;
  }

  /** Without any place that names a cluster, the library takes the name that it has in a pod. */
  private static void checkNamed(Config config) {
    if (config.getCurrentContext() == null
        && config.getAutoOAuthToken() == null
        && config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL)) {
      throw refused(
          "no cluster is named: "
              + KUBECONFIG
              + " is not set, there is no ~/.kube/config, and this is not a Pod");
    }
  }

  /** The library passes over files that it cannot read, and takes the service account instead. */
  private static void checkVariable() {
    String variable = System.getProperty("kubeconfig", System.getenv(KUBECONFIG));
    boolean isRead =
        Boolean.parseBoolean(
            Utils.getSystemPropertyOrEnvVar(
                Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY, "true"));
    if (variable == null || variable.isEmpty() || !isRead) {
      return;
    }
    Collection<String> files = Config.getKubeconfigFilenames();
    if (files.stream().noneMatch(name -> Files.isReadable(Path.of(name)))) {
      throw refused(KUBECONFIG + " names no file that can be read: " + String.join(", ", files));
    }
  }

  private static void checkContext(Config config, @Nullable String context) {
    if (context != null
        && (config.getCurrentContext() == null
            || !context.equals(config.getCurrentContext().getName()))) {
      throw refused("there is no context '" + context + "'");
    }
  }

  /** The user of the current context; empty when no kubeconfig names one. */
  static Optional<AuthInfo> user(Config config) {
    File kubeconfig = config.getFileWithAuthInfo();
    if (kubeconfig == null || config.getCurrentContext() == null) {
      return Optional.empty();
    }
    String user = config.getCurrentContext().getContext().getUser();
    try (InputStream in = Files.newInputStream(kubeconfig.toPath())) {
      return Serialization.unmarshal(in, io.fabric8.kubernetes.api.model.Config.class)
          .getUsers()
          .stream()
          .filter(each -> Objects.equals(each.getName(), user))
          .map(NamedAuthInfo::getUser)
          .filter(Objects::nonNull)
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException("the user cannot be read: " + FileErrorText.of(e), e);
    }
  }

  /** Takes the proxies of the surroundings where the kubeconfig names none. */
  private static Config withProxies(Config config) {
    Config around = Config.empty();
    Config.configFromSysPropsOrEnvVars(around);
    if (config.getHttpProxy() == null && config.getHttpsProxy() == null) {
      config.setHttpProxy(around.getHttpProxy());
      config.setHttpsProxy(around.getHttpsProxy());
      config.setProxyUsername(around.getProxyUsername());
      config.setProxyPassword(around.getProxyPassword());
      config.setNoProxy(around.getNoProxy());
    }
    return config;
  }

  /** Parsers quote the text around a mistake, indented or as a source; a secret may be in it. */
  private static String withoutQuotes(String message) {
    return message
        .lines()
        .filter(line -> !line.startsWith("    "))
        .map(line -> SOURCE.matcher(line).replaceAll("").strip())
        .collect(Collectors.joining(" "));
  }

  /**
   * The failure of a client that cannot be made of this: certificate or key is broken, as when it
   * was copied in part.
   */
  static IpamException unusable(Config config, RuntimeException thrown) {
    String part =
        isCertificate(config)
            ? part("client-key", config.getClientKeyData(), config.getClientKeyFile())
            : part("client-certificate", config.getClientCertData(), config.getClientCertFile());
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    File kubeconfig = config.getFileWithAuthInfo();
    return refused(
        "the kubeconfig"
            + (kubeconfig == null ? "" : " " + kubeconfig)
            + " is refused: "
            + part
            + " cannot be used: "
            + withoutQuotes(String.valueOf(root.getMessage())));
  }

  private static String part(String key, @Nullable String data, @Nullable String file) {
    return data == null ? key + " " + file : key + "-data";
  }

  private static boolean isCertificate(Config config) {
    try (InputStream certificate =
        CertUtils.getInputStreamFromDataOrFile(
            config.getClientCertData(), config.getClientCertFile())) {
      CertificateFactory.getInstance("X.509").generateCertificate(certificate);
      return true;
    } catch (IOException | CertificateException | RuntimeException e) {
      return false;
    }
  }

  private static File file(Path file) {
    return file.toFile();
  }

  private static IpamException refused(String problem) {
    return new IpamException(CoreError.CLUSTER_ACCESS, problem);
  }
}

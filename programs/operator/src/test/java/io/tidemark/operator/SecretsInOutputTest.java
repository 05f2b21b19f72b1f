package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.operator.Program.Result;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Secrets of every kind, with everything logged")
class SecretsInOutputTest {
  private static final String SECRET = "Pl4nted+Secret/0815";
  private static final String BASIC =
      Base64.getEncoder().encodeToString(("otto:" + SECRET).getBytes(StandardCharsets.UTF_8));
  private static final String KEY =
      "-----BEGIN RSA PRIVATE KEY-----\n" + SECRET + "\n-----END RSA PRIVATE KEY-----\n";
  private static final Map<String, String> CREDENTIALS =
      Map.of(
          "aws.accessKeyId", "AKIAPLANTED",
          "aws.secretAccessKey", "Pl4nted-access-key",
          "aws.sessionToken", "Pl4nted-session");
  private static final String METADATA = "aws.ec2MetadataServiceEndpoint";

  @TempDir private Path folder;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;

  /** The API server refuses everybody; the instance's metadata give credentials; EC2 refuses. */
  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", SecretsInOutputTest::answer);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
    CREDENTIALS.keySet().forEach(System::clearProperty);
    System.clearProperty(METADATA);
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/latest/api/token")) {
      send(exchange, 200, SECRET);
    } else if (path.equals("/latest/meta-data/iam/security-credentials/")) {
      send(exchange, 200, "role");
    } else if (path.startsWith("/latest/meta-data/iam/security-credentials/")) {
      send(
          exchange,
          200,
          """
          {"Code":"Success","Type":"AWS-HMAC","AccessKeyId":"ASIAPLANTED","SecretAccessKey":"@",
           "Token":"@","Expiration":"2099-01-01T00:00:00Z"}
          """
              .replace("@", SECRET));
    } else if (form.contains("Action=AssumeRole")) {
      send(
          exchange,
          200,
          """
          <AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIAROLE</AccessKeyId>
          <SecretAccessKey>@</SecretAccessKey><SessionToken>@</SessionToken>
          <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult>
          </AssumeRoleResponse>
          """
              .replace("@", SECRET));
    } else if (form.contains("Action=")) {
      send(
          exchange,
          403,
          "<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>no: token="
              + SECRET
              + "</Message></Error></Errors></Response>");
    } else {
      send(
          exchange,
          401,
          "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":401,"
              + "\"reason\":\"Unauthorized\",\"message\":\"Unauthorized\"}");
    }
  }

  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("X-Aws-Ec2-Metadata-Token-Ttl-Seconds", "21600");
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** Users of a kubeconfig, and what of their secret is seen at the latest in a header. */
  private static Stream<Arguments> cases() {
    List<List<String>> users =
        List.of(
            List.of("a token", "{token: @}", ""),
            List.of("a tokenFile", "{tokenFile: token}", ""),
            List.of("a password", "{username: otto, password: @}", ""),
            List.of(
                "an exec plugin",
                "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin,"
                    + " interactiveMode: Never}}",
                ""),
            List.of("a client's key", "{client-certificate-data: eA==, client-key-data: KEY}", ""),
            List.of("a file that is cut off", "{token: @, password: [}", ""),
            List.of("a proxy's password", "{token: x}", ", proxy-url: \"http://otto:@@PROXY\""));
    return IntStream.range(0, users.size())
        .mapToObj(
            i -> {
              List<String> user = users.get(i);
              return Arguments.of(format(i), user.get(0), user.get(1), user.get(2));
            });
  }

  /** Half of the cases in each form. */
  private static String format(int number) {
    return number % 2 == 0 ? "text" : "json";
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("cases")
  @DisplayName("of a kubeconfig are in no output")
  void kubeconfig(String format, String name, String user, String more) throws IOException {
    Files.writeString(folder.resolve("token"), SECRET);
    Path plugin = folder.resolve("plugin");
    Files.writeString(
        plugin,
        "#!/bin/sh\necho '{\"kind\":\"ExecCredential\",\"apiVersion\":"
            + "\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\""
            + SECRET
            + "\"}}'\n");
    assertThat(plugin.toFile().setExecutable(true)).isTrue();
    String address = "127.0.0.1:" + server.getAddress().getPort();
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "http://ADDRESS"MORE}}]
            users: [{name: u, user: USER}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """
                .replace("MORE", more.replace("@@PROXY", "%@" + address).replace("%", "SECRET"))
                .replace("USER", user.replace("@", SECRET).replace("KEY", encoded(KEY)))
                .replace("SECRET", "Pl4nted%2BSecret0815")
                .replace("ADDRESS", address));
    for (String words :
        List.of(
            "status --provider=mock --timeout=1s --debug",
            "config --provider=mock --config-map=a/b --debug",
            "doctor --provider=mock --timeout=1s --debug")) {
      String[] arguments =
          Program.arguments(
              words + " --log-level=trace", "--log-format=" + format, "--kubeconfig=" + kubeconfig);
      holdsNone(Program.run(arguments));
    }
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Result holdsNone(Result result) {
    assertThat(result.out() + result.err())
        .doesNotContain(SECRET)
        .doesNotContain(BASIC)
        .doesNotContain(encoded(KEY))
        .doesNotContain("Pl4nted");
    return result;
  }

  private static Stream<Arguments> clouds() {
    return Stream.of(
        Arguments.of("text", true, "doctor"),
        Arguments.of("json", false, "doctor"),
        Arguments.of("text", false, "run --once --stop-within=1s"),
        Arguments.of("json", true, "run --once --stop-within=1s"));
  }

  @ParameterizedTest(name = "{0}: session of the environment {1}, {2}")
  @MethodSource("clouds")
  @DisplayName("of a cloud are in no output: keys, sessions, metadata tokens, secret settings")
  void cloud(String format, boolean session, String words) throws IOException {
    if (session) {
      CREDENTIALS.forEach(System::setProperty);
    }
    Manifests manifests =
        new Manifests(Files.createDirectory(folder.resolve("nodes")))
            .with("a.yaml", Manifests.fresh("worker-a"));
    String here = "http://127.0.0.1:" + server.getAddress().getPort();
    System.setProperty(METADATA, here);
    Path settings =
        Files.writeString(
            folder.resolve("settings.yaml"), "aws-assume-role-external-id: Pl4nted-setting\n");
    int seconds = 6;
    Result result = cloud(seconds, words, format, manifests, settings, here);
    while (!result.err().contains("***") && seconds < Hang.SECONDS) {
      seconds *= 2; // a slow machine had not asked for the credentials
      result = cloud(seconds, words, format, manifests, settings, here);
    }
    assertThat(result.err()).contains("***");
    holdsNone(
        Program.run(
            "config", "--provider=aws", "--config=" + settings, "--output=" + format, "-v"));
  }

  private static Result cloud(
      int seconds, String words, String format, Manifests manifests, Path settings, String here) {
    return holdsNone(
        Program.run(
            Map.of("AWS_SESSION_TOKEN", "Pl4nted-env", "HTTPS_PROXY", "http://o:Pl4nted@p:1"),
            Program.arguments(
                words + " --provider=aws --log-level=trace --debug --timeout=" + seconds + "s",
                manifests.option(),
                "--log-format=" + format,
                "--config=" + settings,
                "--aws-region=eu-central-1",
                "--sts-api-endpoint=" + here,
                "--ec2-api-endpoint=" + here,
                "--aws-metadata-endpoint=" + here,
                "--aws-assume-role-arn=arn:aws:iam::123456789012:role/tidemark")));
  }
}

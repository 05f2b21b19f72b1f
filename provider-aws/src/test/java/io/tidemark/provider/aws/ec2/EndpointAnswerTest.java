package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("It is EC2 that answers only")
class EndpointAnswerTest {
  private static final String ERROR =
      "<Response><Errors><Error><Code>%s</Code><Message>m</Message></Error></Errors>"
          + "<RequestID>4f0d</RequestID></Response>";
  private static final String NO_ID =
      "<Response><Errors><Error><Code>DryRunOperation</Code></Error></Errors></Response>";
  private static final String S3 =
      "<Error><Code>%s</Code><Message>m</Message><RequestId>4f0d</RequestId></Error>";
  private static final String HTML = "<html><body><h1>%s</h1><p>nginx<br></body></html>";
  private static final String LIST =
      "<DescribeInstancesResponse><requestId>4f0d</requestId><reservationSet/>"
          + "</DescribeInstancesResponse>";
  private static final String BUCKETS =
      "<ListAllMyBucketsResult><Buckets/></ListAllMyBucketsResult>";
  private static final String STS =
      "<ErrorResponse><Error><Type>Sender</Type><Code>%s</Code></Error>"
          + "<RequestId>4f0d</RequestId></ErrorResponse>";

  /** The response to each request. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares it
  private record Served(int status, byte[] body) {}

  private static volatile Served served = new Served(500, new byte[0]);
  private static HttpServer server;
  private static Ec2Clients clients;
  private static Ec2Api asked;

  @BeforeAll
  static void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          Served now = served;
          exchange.getResponseHeaders().add("Connection", "close");
          exchange.sendResponseHeaders(now.status, now.body.length == 0 ? -1 : now.body.length);
          exchange.getResponseBody().write(now.body);
          exchange.close();
        });
    server.start();
    URI at = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    clients = EmulatedDoors.clients(at, "eu-west-1", 2);
    asked = clients.dryRuns(SystemTime.instance()).instances();
  }

  @AfterAll
  static void stop() {
    clients.close();
    server.stop(0);
  }

  private static String body(String form, String code) {
    return switch (form) {
      case "EC2" -> ERROR.formatted(code);
      case "no id" -> NO_ID;
      case "S3" -> S3.formatted(code);
      case "STS" -> STS.formatted(code);
      case "HTML" -> HTML.formatted(code);
      case "JSON" -> "{\"code\": \"" + code + "\"}";
      case "list" -> LIST;
      case "buckets" -> BUCKETS;
      default -> "";
    };
  }

  @DisplayName("when it answers in EC2's form and knows what it is asked")
  @ParameterizedTest(name = "{0} {1} {2}: {3}")
  @CsvSource({
    "412, EC2, DryRunOperation, true",
    "403, EC2, UnauthorizedOperation, true",
    "401, EC2, AuthFailure, true",
    "400, EC2, RequestExpired, true",
    "400, EC2, InvalidInstanceID.NotFound, true",
    "503, EC2, RequestLimitExceeded, true",
    "500, EC2, InternalError, true",
    "200, list, '', true",
    "501, EC2, NotImplemented, false",
    "400, EC2, UnsupportedOperation, false",
    "400, EC2, InvalidAction, false",
    "405, EC2, MethodNotAllowed, false",
    "404, EC2, NotFound, false",
    "412, no id, '', false",
    "501, S3, NotImplemented, false",
    "405, S3, MethodNotAllowed, false",
    "403, S3, AccessDenied, false",
    "400, STS, InvalidAction, false",
    "404, HTML, Not Found, false",
    "405, HTML, Not Allowed, false",
    "501, HTML, Not Implemented, false",
    "502, HTML, Bad Gateway, false",
    "503, HTML, Service Unavailable, false",
    "504, HTML, Gateway Timeout, false",
    "403, HTML, Blocked, false",
    "407, HTML, Proxy Authentication Required, false",
    "302, HTML, Found, false",
    "501, JSON, NotImplemented, false",
    "404, empty, '', false",
    "501, empty, '', false",
    "200, HTML, Welcome, false",
    "200, buckets, '', false",
    "200, JSON, ok, false",
    "200, empty, '', false"
  })
  void overTheWire(int status, String form, String code, boolean ofEc2) {
    served = new Served(status, body(form, code).getBytes(StandardCharsets.UTF_8));
    assertThat(answer()).isEqualTo(ofEc2);
  }

  /** Whether it is EC2 for sure; an answer that cannot be read is not. */
  private static boolean answer() {
    try {
      asked.describeInstances(Ec2Filter.of("instance-id", Set.of("i-00000000")), Optional.empty());
      return true;
    } catch (Ec2Failure failure) {
      Optional<AwsEndpointAnswer> answer = AwsEndpointAnswer.of(failure);
      answer.ifPresent(
          told ->
              assertThat(told.detail().contains("not how EC2 answers")).isEqualTo(!told.ofEc2()));
      return answer.map(AwsEndpointAnswer::ofEc2).orElse(false);
    }
  }
}

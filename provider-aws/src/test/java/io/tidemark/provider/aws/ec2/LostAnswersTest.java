package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.http.InProcessClient;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.aws.ec2.Ec2Failure.Ending;
import io.tidemark.spi.InterfaceId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.services.ec2.Ec2Client;

@DisplayName("How far a request came that did not do what it should")
class LostAnswersTest {
  private final Ec2Emulator emulator = Emulated.emulator();
  private final Emulated world = Emulated.in(emulator, 0);

  @AfterEach
  void close() {
    world.close();
  }

  /** Answers every request the same. */
  private record Canned(int status, String body, IOException thrown) implements SdkHttpClient {
    static Canned answer(int status, String body) {
      return new Canned(status, body, new IOException("not thrown"));
    }

    static Canned failure(IOException thrown) {
      return new Canned(0, "", thrown);
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() throws IOException {
          if (status == 0) {
            throw thrown;
          }
          return HttpExecuteResponse.builder()
              .response(SdkHttpFullResponse.builder().statusCode(status).build())
              .responseBody(
                  AbortableInputStream.create(
                      new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))))
              .build();
        }

        @Override
        public void abort() {
          // Nothing waits.
        }
      };
    }

    @Override
    public void close() {
      // Holds nothing.
    }
  }

  private static Ec2Failure failure(SdkHttpClient http) {
    return failure(
        http, api -> api.describeVpcs(Ec2Filter.of("vpc-id", Set.of("vpc-1")), Optional.empty()));
  }

  private static Ec2Failure failure(SdkHttpClient http, Ec2Api.Command request) {
    return failure(http, RenewableCredentials.fixed(Emulated.account(Emulated.ACCOUNT)), request);
  }

  private static Ec2Failure failure(
      SdkHttpClient http, RenewableCredentials credentials, Ec2Api.Command request) {
    try (Ec2Client client = Emulated.client(http, URI.create("http://ec2.invalid"), credentials)) {
      SdkEc2Api api = new SdkEc2Api(client, credentials, 0);
      return catchThrowableOfType(Ec2Failure.class, () -> request.send(api));
    }
  }

  @DisplayName("NC-AM29 an answer that does not list the named prefix is as good as none")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "10.0.0.32/28, <assignedIpv4PrefixSet><item><ipv4Prefix>10.0.0.48/28</ipv4Prefix></item></assignedIpv4PrefixSet>",
    "10.0.0.32/28, ''",
    "2600::/80, <assignedIpv6PrefixSet><item>2600:0:0:0:1::/80</item></assignedIpv6PrefixSet>",
    "2600::/80, ''"
  })
  void notListed(Cidr prefix, String body) {
    Ec2Failure failure =
        failure(
            Canned.answer(200, "<Response><requestId>1</requestId>" + body + "</Response>"),
            api -> api.assignNamedPrefix(new InterfaceId("eni-1"), prefix));
    assertThat(failure.ending()).isEqualTo(Ending.ANSWER_LOST);
    assertThat(failure.text()).isEqualTo("the response does not list " + prefix);
  }

  @DisplayName("AWS-73 an Assign whose answer is lost or hangs was sent once, and may be done")
  @ParameterizedTest(name = "AWS-73 {0}")
  @EnumSource(
      value = Ec2FaultRule.Kind.class,
      names = {"LOSE_ANSWER", "HANG", "LOSE_REQUEST"})
  void lost(Ec2FaultRule.Kind fault) throws Ec2Failure {
    InterfaceId id = world.api.createNetworkInterface(world.request(0, 0, 0, "t")).id();
    emulator.faults(List.of(Ec2FaultRule.every("AssignPrivateIpAddresses", fault).window(0, 1)));
    int before = world.http.sent.size();
    Ec2Failure failure =
        catchThrowableOfType(Ec2Failure.class, () -> world.api.assignPrivateIpAddresses(id, 3));
    assertThat(failure.ending()).isEqualTo(Ending.ANSWER_LOST);
    assertThat(failure.code()).isEmpty();
    assertThat(world.http.sent).hasSize(before + 1);
    assertThat(world.one(id).singles().size())
        .isEqualTo(fault == Ec2FaultRule.Kind.LOSE_REQUEST ? 0 : 3);
  }

  @Test
  @DisplayName("AWS-74 a Create with a lost answer and the same token makes one interface")
  void lostCreate() throws Ec2Failure {
    emulator.faults(
        List.of(
            Ec2FaultRule.every("CreateNetworkInterface", Ec2FaultRule.Kind.LOSE_ANSWER)
                .window(0, 1)));
    CreateInterfaceRequest request = world.request(2, 0, 0, "same");
    Ec2Failure failure =
        catchThrowableOfType(Ec2Failure.class, () -> world.api.createNetworkInterface(request));
    assertThat(failure.ending()).isEqualTo(Ending.ANSWER_LOST);
    AwsNetworkInterface made = world.api.createNetworkInterface(request);
    assertThat(world.read(Ec2Filter.of("vpc-id", Set.of(world.vpc))))
        .extracting(AwsNetworkInterface::id)
        .containsExactly(made.id());
  }

  @Test
  @DisplayName("Half an assignment answers what was really added")
  void partial() throws Ec2Failure {
    InterfaceId id = world.api.createNetworkInterface(world.request(0, 0, 0, "t")).id();
    emulator.faults(
        List.of(Ec2FaultRule.every("AssignPrivateIpAddresses", Ec2FaultRule.Kind.PARTIAL)));
    assertThat(world.api.assignPrivateIpAddresses(id, 5).singles().size()).isEqualTo(3);
  }

  @DisplayName("Before the first byte nothing was sent; after it nobody knows")
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void connections(IOException thrown, Ending ending) {
    Ec2Failure failure = failure(Canned.failure(thrown));
    assertThat(failure.ending()).isEqualTo(ending);
    assertThat(failure.text()).isNotEmpty();
  }

  static Stream<Arguments> connections() {
    SSLHandshakeException untrusted = new SSLHandshakeException("PKIX path building failed");
    untrusted.initCause(new CertificateException("unable to find valid certification path"));
    return Stream.of(
        Arguments.of(new UnknownHostException("ec2.invalid"), Ending.NOT_SENT),
        Arguments.of(new ConnectException("Connection refused"), Ending.NOT_SENT),
        Arguments.of(new SocketTimeoutException("Connect timed out"), Ending.NOT_SENT),
        Arguments.of(untrusted, Ending.NOT_SENT),
        Arguments.of(new SocketTimeoutException("Read timed out"), Ending.ANSWER_LOST),
        Arguments.of(new IOException("Connection reset"), Ending.ANSWER_LOST),
        Arguments.of(new SSLHandshakeException("Remote host terminated"), Ending.ANSWER_LOST));
  }

  @DisplayName("An answer that nobody can read is as good as none")
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "200, '', true",
    "200, 'not XML', true",
    "200, '<DescribeVpcsResponse><vpcSet><item>', true",
    "502, '<html>Bad gateway</html>', true",
    "403, '<html>Forbidden</html>', false",
    "407, 'Proxy authentication required', false"
  })
  void unreadable(int status, String body, boolean lost) {
    Ec2Failure failure = failure(Canned.answer(status, body));
    if (failure == null) {
      assertThat(body).as("an empty answer is an empty listing").isEmpty();
      return;
    }
    assertThat(failure.ending()).isEqualTo(lost ? Ending.ANSWER_LOST : Ending.REFUSED);
    assertThat(failure.httpStatus()).isEqualTo(status == 200 ? 0 : status);
  }

  @Test
  @DisplayName("An assignment that names no address is a lost answer, not an empty one")
  void nonsense() {
    String body =
        "<AssignPrivateIpAddressesResponse><assignedPrivateIpAddressesSet><item>"
            + "<privateIpAddress>10.0.0.999</privateIpAddress></item>"
            + "</assignedPrivateIpAddressesSet></AssignPrivateIpAddressesResponse>";
    for (Ec2Api.Command request :
        List.<Ec2Api.Command>of(
            api -> api.assignPrivateIpAddresses(new InterfaceId("eni-1"), 1),
            api -> api.createNetworkInterface(world.request(0, 0, 0, "t")))) {
      assertThat(failure(Canned.answer(200, body), request).ending()).isEqualTo(Ending.ANSWER_LOST);
    }
  }

  @DisplayName("Expired credentials are renewed once, the request is sent again, then it fails")
  @ParameterizedTest(name = "{0} refusals of {1}: {2} sent")
  @CsvSource({
    "1, RequestExpired, 2, ''",
    "1, ExpiredToken, 2, ''",
    "2, RequestExpired, 2, RequestExpired",
    "1, AuthFailure, 1, AuthFailure"
  })
  void expired(int refusals, String code, int sent, String ends) {
    AtomicInteger made = new AtomicInteger();
    RenewableCredentials credentials =
        new RenewableCredentials(
            () -> {
              made.incrementAndGet();
              return Emulated.account(Emulated.ACCOUNT);
            });
    emulator.faults(
        List.of(
            Ec2FaultRule.failing("DescribeVpcs", new Ec2Error(code, "It has expired", 400))
                .window(0, refusals)));
    RecordingHttp http = new RecordingHttp(InProcessClient.of(emulator.handler()));
    Ec2Failure failure =
        failure(
            http,
            credentials,
            api -> api.describeVpcs(Ec2Filter.of("vpc-id", Set.of(world.vpc)), Optional.empty()));
    assertThat(failure == null ? "" : failure.code()).isEqualTo(ends);
    assertThat(http.sent).hasSize(sent);
    assertThat(made.get()).as("chains").isEqualTo(sent);
  }

  @Test
  @DisplayName("Without credentials nothing is sent")
  void noCredentials() {
    RenewableCredentials credentials =
        new RenewableCredentials(
            () ->
                () -> {
                  throw SdkClientException.create("Unable to load credentials");
                });
    RecordingHttp http = new RecordingHttp(InProcessClient.of(emulator.handler()));
    Ec2Failure failure =
        failure(
            http, credentials, api -> api.createTags(new InterfaceId("eni-1"), Map.of("a", "b")));
    assertThat(failure.ending()).isEqualTo(Ending.NO_CREDENTIALS);
    assertThat(failure.text()).contains("Unable to load credentials");
    assertThat(http.sent).isEmpty();
  }

  @Test
  @DisplayName("Credentials are made anew once, however many requests were refused at a time")
  void renewedOnce() {
    AtomicInteger made = new AtomicInteger();
    RenewableCredentials credentials =
        new RenewableCredentials(
            () -> {
              made.incrementAndGet();
              return Emulated.account(Emulated.ACCOUNT);
            });
    long seen = credentials.generation();
    credentials.renew(seen);
    credentials.renew(seen);
    assertThat(made.get()).isEqualTo(2);
    credentials.renew(credentials.generation());
    assertThat(made.get()).isEqualTo(3);
    credentials.close();
  }
}

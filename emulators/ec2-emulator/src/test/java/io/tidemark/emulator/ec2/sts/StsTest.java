package io.tidemark.emulator.ec2.sts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.SdkClients;
import io.tidemark.emulator.ec2.World;
import io.tidemark.emulator.ec2.http.Exchange;
import io.tidemark.emulator.ec2.http.Response;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.time.SystemTime;
import io.tidemark.time.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;
import software.amazon.awssdk.services.sts.model.AssumeRoleRequest;
import software.amazon.awssdk.services.sts.model.AssumeRoleResponse;
import software.amazon.awssdk.services.sts.model.AssumeRoleWithWebIdentityRequest;
import software.amazon.awssdk.services.sts.model.AssumeRoleWithWebIdentityResponse;
import software.amazon.awssdk.services.sts.model.Credentials;
import software.amazon.awssdk.services.sts.model.GetCallerIdentityResponse;

@DisplayName("AWS Security Token Service")
class StsTest {
  private static final String ROLE = "arn:aws:iam::222222222222:role/team/pods";
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final VirtualTime time = new VirtualTime(START.toEpochMilli());
  private final Ec2Emulator emulator = Ec2Emulator.in(time, World.options());
  private final StsClient sts = SdkClients.sts(emulator, SdkClients.account(World.ACCOUNT));

  @AfterEach
  void close() {
    sts.close();
  }

  @Test
  @DisplayName("tells who calls: the user of an access key id, the session of temporary ones")
  void identity() {
    GetCallerIdentityResponse user = sts.getCallerIdentity();
    assertThat(user.account()).isEqualTo(World.ACCOUNT);
    assertThat(user.arn()).isEqualTo("arn:aws:iam::111111111111:user/111111111111");
    assertThat(user.userId()).matches("AIDA[A-Z2-7]{17}");

    AssumeRoleResponse assumed = assume("build-7");
    try (StsClient session = SdkClients.sts(emulator, session(assumed.credentials()))) {
      GetCallerIdentityResponse role = session.getCallerIdentity();
      assertThat(role.account()).isEqualTo("222222222222");
      assertThat(role.arn()).isEqualTo("arn:aws:sts::222222222222:assumed-role/pods/build-7");
      assertThat(role.userId())
          .isEqualTo(assumed.assumedRoleUser().assumedRoleId())
          .matches("AROA[A-Z2-7]{17}:build-7");
    }
  }

  @Test
  @DisplayName("gives out credentials for an hour, with which EC2 sees the account of the role")
  void assumeRole() {
    AssumeRoleResponse assumed =
        sts.assumeRole(
            r -> r.roleArn(ROLE).roleSessionName("s1").sourceIdentity("me").externalId("x-1"));
    Credentials credentials = assumed.credentials();
    assertThat(credentials.accessKeyId()).matches("ASIA[A-Z2-7]{16}");
    assertThat(credentials.secretAccessKey()).hasSize(40);
    assertThat(credentials.expiration()).isEqualTo(START.plus(Duration.ofHours(1)));
    assertThat(assumed.assumedRoleUser().arn())
        .isEqualTo("arn:aws:sts::222222222222:assumed-role/pods/s1");
    assertThat(assumed.sourceIdentity()).isEqualTo("me");

    try (Ec2Client own = SdkClients.inProcess(emulator, World.ACCOUNT);
        Ec2Client role = SdkClients.inProcess(emulator, session(credentials))) {
      String vpc = role.createVpc(r -> r.cidrBlock("10.0.0.0/16")).vpc().vpcId();
      assertThat(role.describeVpcs(r -> r.vpcIds(vpc)).vpcs().get(0).ownerId())
          .isEqualTo("222222222222");
      assertThat(own.describeVpcs().vpcs()).noneMatch(seen -> seen.vpcId().equals(vpc));
    }
  }

  @Test
  @DisplayName("serves the SDK's own provider of a role's credentials, in real time")
  void provider() {
    Ec2Emulator now = Ec2Emulator.in(SystemTime.instance(), World.options());
    try (StsClient client = SdkClients.sts(now, SdkClients.account(World.ACCOUNT));
        StsAssumeRoleCredentialsProvider provider =
            StsAssumeRoleCredentialsProvider.builder()
                .stsClient(client)
                .refreshRequest(r -> r.roleArn(ROLE).roleSessionName("loop").durationSeconds(900))
                .build();
        Ec2Client ec2 = SdkClients.inProcess(now, provider)) {
      String vpc = ec2.createVpc(r -> r.cidrBlock("10.0.0.0/16")).vpc().vpcId();
      assertThat(ec2.describeVpcs(r -> r.vpcIds(vpc)).vpcs().get(0).ownerId())
          .isEqualTo("222222222222");
      assertThat(
              requireNonNull(now.handler().use(m -> m.counts().byAction()).get("AssumeRole"))
                  .calls())
          .isEqualTo(1);
    }
  }

  @Test
  @DisplayName("gives out credentials for a web identity token, without a signature")
  void webIdentity() {
    try (StsClient nobody = SdkClients.sts(emulator, AnonymousCredentialsProvider.create())) {
      AssumeRoleWithWebIdentityResponse assumed = nobody.assumeRoleWithWebIdentity(pod(token(60)));
      assertThat(assumed.provider()).isEqualTo("https://oidc.example.com/id/1");
      assertThat(assumed.audience()).isEqualTo("sts.amazonaws.com");
      assertThat(assumed.subjectFromWebIdentityToken())
          .isEqualTo("system:serviceaccount:kube-system:operator");
      try (Ec2Client ec2 = SdkClients.inProcess(emulator, session(assumed.credentials()))) {
        assertThat(ec2.describeVpcs().vpcs().get(0).ownerId()).isEqualTo("222222222222");
      }
      assertThat(code(() -> nobody.assumeRoleWithWebIdentity(pod(token(0)))))
          .isEqualTo("ExpiredTokenException");
      assertThat(code(nobody::getCallerIdentity)).isEqualTo("MissingAuthenticationToken");
    }
  }

  @DisplayName("refuses what is no OpenID Connect token (AssumeRoleWithWebIdentity, Errors)")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          no token at all  | abcd            | not a valid JWT
          claims no JSON   | e30.e30x.c2ln   | not a valid JWT
          claims a list    | e30.W10.c2ln    | not a valid JWT
          no issuer        | e30.e30.c2ln    | Missing a required claim: issuer
          """)
  void noToken(String name, String token, String message) {
    AwsServiceException refused = refused(() -> sts.assumeRoleWithWebIdentity(pod(token)));
    assertThat(refused.awsErrorDetails().errorCode()).isEqualTo("InvalidIdentityToken");
    assertThat(refused.awsErrorDetails().errorMessage()).contains(message);
  }

  @DisplayName("checks lengths, forms and durations (AssumeRole, Request Parameters)")
  @ParameterizedTest(name = "{0} as {1} for {2} s: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          arn:aws:iam::222222222222:role/a | s       | 3600  | 'roleSessionName' failed to satisfy constraint: Member must have length greater than or equal to 2
          arn:aws:iam::222222222222:role/a | a/b     | 3600  | 'roleSessionName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@-]*
          arn:aws:iam::222222222222:role/a | ss      | 899   | 1 validation error detected: Value '899' at 'durationSeconds' failed to satisfy constraint: Member must have value greater than or equal to 900
          arn:aws:iam::222222222222:role/a | ss      | 43201 | less than or equal to 43200
          role/a                           | s       | 3600  | 2 validation errors detected: Value 'role/a' at 'roleArn' failed to satisfy constraint: Member must have length greater than or equal to 20; Value 's'
          arn:aws:iam::222222222222:user/a | ss      | 3600  | arn:aws:iam::222222222222:user/a is invalid
          arn:aws:iam::22222222222:role/ab | ss      | 3600  | arn:aws:iam::22222222222:role/ab is invalid
          """)
  void validation(String arn, String session, int seconds, String message) {
    AwsServiceException refused =
        refused(
            () ->
                sts.assumeRole(
                    r -> r.roleArn(arn).roleSessionName(session).durationSeconds(seconds)));
    assertThat(refused.awsErrorDetails().errorCode()).isEqualTo("ValidationError");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.awsErrorDetails().errorMessage()).contains(message);
  }

  @Test
  @DisplayName("allows twelve hours, but one when a role assumes another (role chaining)")
  void durations() {
    Credentials long12 = credentials(sts, 43_200);
    assertThat(long12.expiration()).isEqualTo(START.plus(Duration.ofHours(12)));
    try (StsClient chained = SdkClients.sts(emulator, session(long12))) {
      credentials(chained, 3600);
      assertThat(code(() -> credentials(chained, 3601))).isEqualTo("ValidationError");
    }
  }

  @Test
  @DisplayName("credentials end: EC2 says RequestExpired, STS says ExpiredToken")
  void expiry() {
    Credentials credentials = credentials(sts, 900);
    try (Ec2Client ec2 = SdkClients.inProcess(emulator, session(credentials));
        StsClient session = SdkClients.sts(emulator, session(credentials))) {
      time.runUntil(Duration.ofMinutes(15).minusSeconds(1).toNanos());
      ec2.describeVpcs();
      time.runUntil(Duration.ofMinutes(15).toNanos());
      assertThat(code(ec2::describeVpcs)).isEqualTo("RequestExpired");
      assertThat(code(session::getCallerIdentity)).isEqualTo("ExpiredToken");
    }
  }

  @Test
  @DisplayName("temporary keys that were not given out, or with another token, are nobody's")
  void wrongToken() {
    Credentials credentials = assume("ss").credentials();
    for (AwsSessionCredentials wrong :
        List.of(
            AwsSessionCredentials.create("ASIAAAAAAAAAAAAAAAAA", "s", "t"),
            AwsSessionCredentials.create(credentials.accessKeyId(), "s", "another"))) {
      StaticCredentialsProvider provider = StaticCredentialsProvider.create(wrong);
      try (Ec2Client ec2 = SdkClients.inProcess(emulator, provider);
          StsClient other = SdkClients.sts(emulator, provider)) {
        assertThat(code(ec2::describeVpcs)).isEqualTo("AuthFailure");
        assertThat(code(other::getCallerIdentity)).isEqualTo("InvalidClientTokenId");
      }
    }
  }

  @Test
  @DisplayName("denials name an access key id or a role; who one is, everybody may ask")
  void denials() {
    emulator.deny(World.ACCOUNT, Set.of("AssumeRole", "GetCallerIdentity"));
    AwsServiceException refused = refused(() -> assume("ss"));
    assertThat(refused.awsErrorDetails().errorCode()).isEqualTo("AccessDenied");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.awsErrorDetails().errorMessage())
        .isEqualTo(
            "User: arn:aws:iam::111111111111:user/111111111111 is not authorized to perform:"
                + " sts:AssumeRole on resource: "
                + ROLE);
    sts.getCallerIdentity();

    emulator.deny(World.ACCOUNT, Set.of());
    emulator.deny("arn:aws:iam::222222222222:role/pods", Set.of("CreateVpc"));
    try (Ec2Client ec2 = SdkClients.inProcess(emulator, session(assume("ss").credentials()))) {
      assertThat(code(() -> ec2.createVpc(r -> r.cidrBlock("10.0.0.0/16"))))
          .isEqualTo("UnauthorizedOperation");
      ec2.describeVpcs();
    }
  }

  @Test
  @DisplayName("obeys fault rules, and is throttled in its own words")
  void faults() {
    emulator.faults(
        List.of(Ec2FaultRule.every("AssumeRole", Ec2FaultRule.Kind.THROTTLE).window(0, 1)));
    assertThat(code(() -> assume("ss"))).isEqualTo("Throttling");
    assume("ss");
  }

  @DisplayName("writes error documents of its own (Common errors)")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sts | Action=Foo&Version=2011-06-15                          | 400 | InvalidAction
          sts | Action=GetCallerIdentity&Version=2016-11-15            | 400 | NoSuchVersion
          sts | Action=GetCallerIdentity&Version=2011-06-15&X=1        | 400 | UnknownParameter
          sts | Action=AssumeRole&Version=2011-06-15&RoleSessionName=ss | 400 | ValidationError
          ec2 | Action=GetCallerIdentity&Version=2011-06-15            | 403 | SignatureDoesNotMatch
          """)
  void documents(String service, String body, int status, String code) {
    String authorization =
        "AWS4-HMAC-SHA256 Credential=111111111111/20260101/us-east-1/" + service + "/aws4_request";
    Response response =
        emulator.handler().handle(new Exchange(Optional.of(authorization), "", body));
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.body())
        .contains(
            "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error>"
                + "<Type>Sender</Type><Code>"
                + code
                + "</Code>")
        .contains("<RequestId>" + response.requestId() + "</RequestId></ErrorResponse>");
    assertThat(emulator.handler().handle(new Exchange(Optional.of(authorization), "", body)))
        .extracting(Response::requestId)
        .isNotEqualTo(response.requestId());
  }

  @Test
  @DisplayName("takes exactly the parameters of the service model")
  void parameters() {
    Map<String, SdkPojo> requests =
        Map.of(
            "AssumeRole", AssumeRoleRequest.builder().build(),
            "AssumeRoleWithWebIdentity", AssumeRoleWithWebIdentityRequest.builder().build());
    requests.forEach(
        (action, request) ->
            assertThat(Sts.ACTIONS.get(action))
                .as(action)
                .containsExactlyInAnyOrderElementsOf(
                    request.sdkFields().stream().map(SdkField::locationName).toList()));
  }

  private AssumeRoleResponse assume(String session) {
    return sts.assumeRole(r -> r.roleArn(ROLE).roleSessionName(session));
  }

  private static StaticCredentialsProvider session(Credentials credentials) {
    return StaticCredentialsProvider.create(
        AwsSessionCredentials.create(
            credentials.accessKeyId(), credentials.secretAccessKey(), credentials.sessionToken()));
  }

  /** A service account's token that is good for so many seconds more. */
  private static String token(int seconds) {
    return base64("{\"alg\":\"RS256\"}")
        + "."
        + base64(
            "{\"iss\":\"https://oidc.example.com/id/1\",\"aud\":[\"sts.amazonaws.com\"],"
                + "\"sub\":\"system:serviceaccount:kube-system:operator\",\"exp\":"
                + START.plusSeconds(seconds).getEpochSecond()
                + "}")
        + ".c2lnbmF0dXJl";
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Credentials credentials(StsClient sts, int seconds) {
    return sts.assumeRole(r -> r.roleArn(ROLE).roleSessionName("ss").durationSeconds(seconds))
        .credentials();
  }

  private static Consumer<AssumeRoleWithWebIdentityRequest.Builder> pod(String token) {
    return r -> r.roleArn(ROLE).roleSessionName("pod").webIdentityToken(token);
  }

  private static AwsServiceException refused(ThrowingCallable call) {
    return catchThrowableOfType(AwsServiceException.class, call);
  }

  private static String code(ThrowingCallable call) {
    return refused(call).awsErrorDetails().errorCode();
  }
}

package io.tidemark.program.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Secrets in text")
class SecretsTest {
  private static final String PLANTED = "Pl4nt.ed-Secret_/+=";

  private final Secrets secrets = new Secrets();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "> Authorization: Bearer @",
        "> Authorization: Basic @",
        "authorization: Digest username=a, response=@",
        "{Authorization=[Bearer @], Accept=[text]}",
        "\"Proxy-Authorization: Basic @[\\r][\\n]\"",
        "\"X-Amz-Security-Token: @[\\r][\\n]\"",
        "x-amz-security-token:@",
        "GET /?X-Amz-Signature=@&Action=x",
        "x-aws-ec2-metadata-token: @",
        "Authorization: AWS4-HMAC-SHA256 Credential=AKIA/x, SignedHeaders=a;b, Signature=@",
        "aws_secret_access_key = @",
        "AWS_SESSION_TOKEN=@",
        "{\"SecretAccessKey\" : \"@\",\"Token\":\"@\"}",
        "{\\\"token\\\":\\\"@\\\"}",
        "<SecretAccessKey>@</SecretAccessKey><SessionToken>@</SessionToken>",
        "users: [{user: {token: @, password: '@'}}]",
        "  client-key-data: @",
        "Action=AssumeRoleWithWebIdentity&WebIdentityToken=@&Version=1&ExternalId=@",
        "{\"status\":{\"token\":\"@\",\"clientKeyData\":\"@\"}}",
        "proxy http://otto:p4ss@proxy.example:3128 does not answer",
        "-----BEGIN RSA PRIVATE KEY-----\n@\n@\n-----END RSA PRIVATE KEY-----",
        "the server said Bearer @",
        "password: \"a \\\" @\" and more"
      })
  @DisplayName("are masked where a header, JSON, YAML, XML, a form or a URL names them")
  void named(String text) {
    String planted = text.contains("p4ss") ? text : text.replace("@", PLANTED);

    assertThat(secrets.masked(planted))
        .doesNotContain(PLANTED)
        .doesNotContain("p4ss")
        .contains("***");
  }

  @Test
  @DisplayName("leave what stands beside them readable")
  void beside() {
    assertThat(secrets.masked("sent token=abc node=worker-a {\"password\":\"x\",\"name\":\"n\"}"))
        .isEqualTo("sent token=*** node=worker-a {\"password\":\"***\",\"name\":\"n\"}");
    assertThat(secrets.masked("[{user: {token: abc}, name: n}]"))
        .isEqualTo("[{user: {token: ***}, name: n}]");
    assertThat(secrets.masked("https://otto:p4ss@proxy.example:3128/x"))
        .isEqualTo("https://***@proxy.example:3128/x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Node. node=worker-a state=ok used=1 available=8 reason=TM-1203",
        "NextToken=abc&MaxResults=5",
        "The token file cannot be read now. file=/var/run/token",
        "{\"secret\" : false, \"key\" : \"aws-region\"}",
        "clusters: https://10.0.0.1:6443/ answers; mail ops@example.com"
      })
  @DisplayName("are not seen in ordinary text")
  void ordinary(String text) {
    assertThat(secrets.masked(text)).isSameAs(text);
  }

  @Test
  @DisplayName("are masked by value once they were learned, however they are encoded")
  void learned() {
    secrets.learn("four score\"and\\seven");
    secrets.learn("line-one-of-key\nline-two-of-key\n");
    secrets.learn("short");

    assertThat(secrets.masked("a four score\"and\\seven b")).isEqualTo("a *** b");
    assertThat(secrets.masked("{\"x\":\"four score\\\"and\\\\seven\"}"))
        .isEqualTo("{\"x\":\"***\"}");
    assertThat(secrets.masked("x=four+score%22and%5Cseven&y")).isEqualTo("x=***&y");
    assertThat(secrets.masked("line-two-of-key|line-one-of-key")).isEqualTo("***|***");
    assertThat(secrets.masked("short")).isEqualTo("short");
  }

  @Test
  @DisplayName("that rotate are all masked, the newest of very many for certain")
  void rotated() {
    for (int i = 0; i < 10_000; i++) {
      secrets.learn("rotated-" + i);
    }
    assertThat(secrets.masked("rotated-9999 rotated-9990")).isEqualTo("*** ***");
  }

  @Test
  @DisplayName("of a long text are masked without recursion")
  void longText() {
    String value = "x\\\"".repeat(200_000);
    assertThat(secrets.masked("{\"token\":\"" + value + "\"}")).isEqualTo("{\"token\":\"***\"}");
  }
}

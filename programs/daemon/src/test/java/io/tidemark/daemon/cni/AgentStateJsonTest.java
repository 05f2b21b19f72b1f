package io.tidemark.daemon.cni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.agent.PoolName;
import io.tidemark.agent.multipool.RememberedCidr;
import io.tidemark.agent.multipool.RememberedCidr.State;
import io.tidemark.daemon.cni.AgentState.Cooling;
import io.tidemark.daemon.cni.AgentStateJson.Unreadable;
import io.tidemark.daemon.cni.Attachment.Address;
import io.tidemark.error.IpamException;
import io.tidemark.file.AtomicFile;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The file of what an agent keeps")
class AgentStateJsonTest {
  private static final AgentState STATE =
      new AgentState(
          "boot-1",
          List.of(new Address(IpAddress.parse("10.0.0.1"), new PoolName("default"))),
          List.of(attachment("c1", "10.0.0.5"), attachment("c2", "fd00::7")),
          List.of(
              new Cooling(
                  new Address(IpAddress.parse("10.0.0.9"), new PoolName("blue")),
                  1_700_000_000_001L)),
          List.of(IpAddress.parse("10.0.0.3")),
          Optional.of(
              List.of(
                  new RememberedCidr(
                      new PoolName("red"), Cidr.parse("10.9.0.0/28"), State.QUARANTINED, 7),
                  new RememberedCidr(
                      new PoolName("red"), Cidr.parse("10.9.1.0/28"), State.DROPPED, 0))));

  private static Attachment attachment(String container, String ip) {
    return new Attachment(
        new AttachmentKey("net", container, "eth0"),
        "ns/pod",
        List.of(new Address(IpAddress.parse(ip), new PoolName("default"))),
        1_700_000_000_000L);
  }

  @Test
  @DisplayName("It is read as it was written")
  void roundTrip() throws Unreadable {
    assertThat(AgentStateJson.read(AgentStateJson.print(STATE))).isEqualTo(STATE);
  }

  @Test
  @DisplayName("A file without cooling, health, CIDRs and pools of gateways, as before, is read")
  void older() throws Unreadable {
    String text = new String(AgentStateJson.print(STATE), UTF_8);
    String older = text.substring(0, text.indexOf(",\"cooling\"")) + "}";
    byte[] bytes = older.replace("\"routerPools\":[\"default\"],", "").getBytes(UTF_8);
    List<Address> routers = List.of(new Address(IpAddress.parse("10.0.0.1"), PoolName.NOT_GIVEN));
    assertThat(AgentStateJson.read(bytes))
        .isEqualTo(
            new AgentState(
                STATE.boot(),
                routers,
                STATE.attachments(),
                List.of(),
                List.of(),
                Optional.empty()));
  }

  @Test
  @DisplayName("Cut off anywhere, it is refused")
  void cutOff() {
    byte[] whole = AgentStateJson.print(STATE);
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> AgentStateJson.read(part)).isInstanceOf(Unreadable.class);
    }
  }

  @ParameterizedTest(name = "refused: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "tidemark-agent/1 | tidemark-agent/2 | its version is 'tidemark-agent/2'",
        "'\"boot\"' | '\"boat\"' | boot is not a string",
        "10.0.0.5 | 10.0.0.500 | '10.0.0.500' is not an address",
        "10.0.0.5 | 10.0.0.1 | it has 10.0.0.1 twice",
        "'\"c2\"' | '\"c1\"' | it has eth0 of container c1 in network net twice",
        "'10.0.0.5\",\"pool\":\"default\"' | '10.0.0.5\",\"pool\":\"\"' | has an address without a pool",
        "'\"attachments\"' | '\"x\"' | attachments is not a list",
        "10.0.0.9 | 10.0.0.900 | '10.0.0.900' is not an address",
        "'\"blue\"' | '\"\"' | cooling has an address without a pool",
        "10.9.0.0/28 | 10.9.0.0/48 | '10.9.0.0/48' is not a CIDR",
        "DROPPED | LOST | 'LOST' is not a CIDR state",
        "'\"cooling\":[' | '\"cooling\":7,\"x\":[' | cooling is not a list",
      })
  void refused(String from, String to, String why) {
    String text = new String(AgentStateJson.print(STATE), UTF_8);
    assertThat(text).contains(from);
    byte[] changed = text.replace(from, to).getBytes(UTF_8);

    assertThatThrownBy(() -> AgentStateJson.read(changed))
        .isInstanceOf(Unreadable.class)
        .hasMessageContaining(why);
  }

  @Test
  @DisplayName("An agent does not start with a file that it cannot read")
  void start() throws IOException {
    TestAgent agent = new TestAgent("10.0.0.0/24");
    new AtomicFile(TestAgent.FILE, agent.files).write(new byte[0]);

    assertThatThrownBy(agent::restart)
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("TM-1803")
        .hasMessageContaining("/state/attachments.json");
  }
}

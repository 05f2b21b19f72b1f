package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Ipam;
import io.tidemark.agent.Lease;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.agent.multipool.PoolCidr;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.VirtualTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What an agent says over HTTP")
class AgentProbesTest {
  private static final PoolName POOL = new PoolName("default");

  @Test
  @DisplayName("While it starts it is healthy and not ready, and has no pools")
  void starting() throws IOException {
    AgentProbes probes = new AgentProbes("n1");
    assertThat(probes.unhealthy()).isEmpty();
    assertThat(probes.unready()).containsExactly("the agent is starting");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    probes.status(out);
    assertThat(out.toString(UTF_8))
        .isEqualTo("{\"node\":\"n1\",\"unready\":[\"the agent is starting\"],\"pools\":[]}");
  }

  @Test
  @DisplayName("While a watch gives no sign of life it is not ready")
  void lateWatch() {
    AgentProbes probes = new AgentProbes("n1");
    probes.watches(() -> List.of("TM-1110 WATCH_LATE: the watch of Pods has died"));
    assertThat(probes.unready())
        .containsExactly("TM-1110 WATCH_LATE: the watch of Pods has died", "the agent is starting");
    assertThat(probes.unhealthy()).isEmpty();
  }

  @Test
  @DisplayName("The status has every address that is not free, with owner, state and lease")
  void pools() throws IOException {
    Ipam ipam =
        Ipam.builder(new VirtualTime(0), new Random(1))
            .allocator(HostRange.of(Cidr.parse("10.0.0.0/29"), 0))
            .build();
    IpAddress used = IpAddress.parse("10.0.0.1");
    IpAddress gone = IpAddress.parse("10.0.0.2");
    ipam.allocate(used, "ns/pod", POOL, UpstreamSync.NOW);
    ipam.allocate(gone, "ns/gone", POOL, UpstreamSync.NOW);
    assertThat(ipam.release(gone, POOL)).isEmpty();
    ipam.exclude(Cidr.parse("10.0.0.4/30"), "route", POOL);
    Lease.Start lease = ipam.startLease(used, POOL, Duration.ofMinutes(1));
    assertThat(lease).isInstanceOf(Lease.Start.Started.class);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PoolCidr dropped =
        new PoolCidr(POOL, Cidr.parse("10.0.1.0/29"), PoolCidr.State.DROPPED, "not needed");
    PoolsJson.write(out, "n1", List.of(), ipam.snapshot(), List.of(dropped));

    assertThat(out.toString(UTF_8))
        .isEqualTo(
            ("{'node':'n1','unready':[],'pools':[{'family':'IPv4','pool':'default',"
                    + "'origin':'10.0.0.0/29','available':1,'inUse':1,'cooling':1,'excluded':3,'withheld':0,"
                    + "'held':[{'ip':'10.0.0.1','state':'IN_USE','owner':'ns/pod','lease':'ID'},"
                    + "{'ip':'10.0.0.2','state':'COOLING','owner':'cooling'},"
                    + "{'ip':'10.0.0.4','state':'EXCLUDED','owner':'route'},"
                    + "{'ip':'10.0.0.5','state':'EXCLUDED','owner':'route'},"
                    + "{'ip':'10.0.0.6','state':'EXCLUDED','owner':'route'}],"
                    + "'exclusions':[{'cidr':'10.0.0.4/30','owner':'route'}]}],"
                    + "'cidrs':[{'cidr':'10.0.1.0/29','pool':'default','state':'DROPPED','reason':'not"
                    + " needed'}]}")
                .replace('\'', '"')
                .replace("ID", ((Lease.Start.Started) lease).lease().id().toString()));
  }
}

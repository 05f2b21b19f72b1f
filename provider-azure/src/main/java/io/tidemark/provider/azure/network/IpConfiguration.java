package io.tidemark.provider.azure.network;

import static java.util.stream.Collectors.toCollection;

import io.tidemark.ip.Cidr;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One IP configuration, as an interface or the model of an instance has it (provider-azure 1.2).
 *
 * @param name unique on its interface; empty when the answer has none
 * @param primary whether it is flagged as the interface's first one
 * @param ipv6 whether it is of IPv6; such a configuration occupies a place and serves no pod
 * @param range its address, or its block; empty in models, and for IPv6
 * @param block whether the answer says that it is a block; versions of the API that do not know
 *     blocks leave it out
 * @param subnet empty when the answer has none
 * @param state in lower case; empty in models
 * @param pinned whether a public address, a load balancer or a gateway uses it
 * @param publicAddress id of its public address, in models its name; empty without one
 */
public record IpConfiguration(
    String name,
    boolean primary,
    boolean ipv6,
    Optional<Cidr> range,
    boolean block,
    Optional<ResourceId> subnet,
    String state,
    boolean pinned,
    String publicAddress) {
  /** Whether Azure has given it what it asks for. */
  public boolean succeeded() {
    return state.equals("succeeded");
  }

  /** Whether it is a pod's address that Azure has chosen and not completed. */
  public boolean isIncomplete() {
    return !primary && !ipv6 && !succeeded() && range.isPresent();
  }

  /** The names of these; the caller's to change. */
  public static Set<String> names(List<IpConfiguration> configurations) {
    return configurations.stream().map(IpConfiguration::name).collect(toCollection(HashSet::new));
  }
}

package io.tidemark.provider.aws.ec2;

import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.Map;
import java.util.Set;

/** Which interfaces to read. Always by filter and in pages, never by the ids parameter (M5). */
public sealed interface InterfaceQuery {
  /** All of the account in the region. */
  record Everywhere() implements InterfaceQuery {}

  record OfVpcs(Set<String> vpcIds) implements InterfaceQuery {
    public OfVpcs {
      vpcIds = Set.copyOf(vpcIds);
    }
  }

  /** Those attached to instances, at most 200. */
  record OfInstances(Set<InstanceId> ids) implements InterfaceQuery {
    public OfInstances {
      ids = Set.copyOf(ids);
    }
  }

  /** One, wherever it is. */
  record One(InterfaceId id) implements InterfaceQuery {}

  /** Those with all of these tags. */
  record Tagged(Map<String, String> tags) implements InterfaceQuery {
    public Tagged {
      tags = Map.copyOf(tags);
    }
  }

  /** Those with all of these tags that are attached to nothing. */
  record Available(Map<String, String> tags) implements InterfaceQuery {
    public Available {
      tags = Map.copyOf(tags);
    }
  }
}

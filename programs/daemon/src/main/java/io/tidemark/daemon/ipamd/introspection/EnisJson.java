package io.tidemark.daemon.ipamd.introspection;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DataStore.Assigned;
import io.tidemark.datastore.MultiCardStore;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.StoreSnapshot;
import io.tidemark.datastore.checkpoint.CheckpointData.Released;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The interfaces of each network card with their addresses, in the form of the AWS VPC CNI. An
 * address that no pod has and that does not cool is not listed. Containers and the interfaces of
 * pods are blank, as there.
 */
final class EnisJson {
  private static final String NEVER = "0001-01-01T00:00:00Z";

  /**
   * An address that is listed.
   *
   * @param network empty when no pod has it
   */
  private record Listed(String network, IpamMetadata pod, String assigned, String unassigned) {
    static Listed of(Assigned each) {
      return new Listed(
          each.entry().key().networkName(),
          each.entry().metadata(),
          time(each.entry().epochNanos()),
          NEVER);
    }

    static Listed of(Released each) {
      return new Listed("", IpamMetadata.NONE, NEVER, time(each.unassignedEpochNanos()));
    }

    private static String time(long epochNanos) {
      return Instant.EPOCH.plusNanos(epochNanos).toString();
    }
  }

  private EnisJson() {}

  static String print(MultiCardStore stores) {
    return IntrospectionJson.object(
        json -> {
          for (int number : stores.numbers()) {
            json.writeObjectFieldStart(Integer.toString(number));
            card(json, stores.card(number).orElseThrow().snapshot());
            json.writeEndObject();
          }
        });
  }

  private static void card(JsonGenerator json, StoreSnapshot store) throws IOException {
    NavigableMap<IpAddress, Listed> listed = new TreeMap<>();
    store.cooling().forEach(each -> listed.put(each.ip(), Listed.of(each)));
    store.assigned().forEach(each -> listed.put(each.assignment().address(), Listed.of(each)));
    long total = 0;
    for (EniView eni : store.view().enis()) {
      for (CidrView each : eni.cidrs()) {
        total = Math.min(total, Long.MAX_VALUE - each.size()) + each.size();
      }
    }
    json.writeNumberField("TotalIPs", total);
    json.writeNumberField("AssignedIPs", store.assigned().size());
    json.writeObjectFieldStart("ENIs");
    for (EniView eni : store.view().enis()) {
      json.writeObjectFieldStart(eni.spec().id());
      eni(json, eni, listed);
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void eni(JsonGenerator json, EniView eni, NavigableMap<IpAddress, Listed> listed)
      throws IOException {
    StoreEniSpec spec = eni.spec();
    json.writeStringField("ID", spec.id());
    json.writeBooleanField("IsPrimary", spec.primary());
    json.writeBooleanField("IsTrunk", spec.trunk());
    json.writeBooleanField("IsEFA", spec.efa());
    json.writeNumberField("DeviceNumber", spec.deviceNumber());
    cidrs(json, "AvailableIPv4Cidrs", eni, IpFamily.IPV4, listed);
    cidrs(json, "IPv6Cidrs", eni, IpFamily.IPV6, listed);
    json.writeBooleanField("IsExcludedForPodIPs", eni.excluded());
    json.writeNumberField("RouteTableID", spec.routeTableId());
    json.writeStringField("SubnetID", spec.subnetId());
  }

  private static void cidrs(
      JsonGenerator json,
      String name,
      EniView eni,
      IpFamily family,
      NavigableMap<IpAddress, Listed> listed)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (CidrView each : eni.cidrs()) {
      Cidr cidr = each.cidr();
      if (cidr.family() == family) {
        json.writeObjectFieldStart(cidr.network() + "/" + cidr.prefixLength());
        json.writeObjectFieldStart("Cidr");
        json.writeStringField("IP", cidr.network().toString());
        json.writeStringField("Mask", mask(cidr));
        json.writeEndObject();
        json.writeObjectFieldStart("IPAddresses");
        for (var address : listed.subMap(cidr.first(), true, cidr.last(), true).entrySet()) {
          json.writeObjectFieldStart(address.getKey().toString());
          address(json, address.getKey(), address.getValue());
          json.writeEndObject();
        }
        json.writeEndObject();
        json.writeBooleanField("IsPrefix", each.kind() == CidrKind.PREFIX);
        json.writeStringField("AddressFamily", family == IpFamily.IPV4 ? "4" : "6");
        json.writeEndObject();
      }
    }
    json.writeEndObject();
  }

  /** Set bits for the network, in base64 as Go writes bytes. */
  private static String mask(Cidr cidr) {
    byte[] bytes = new byte[cidr.family().bits() / Byte.SIZE];
    for (int bit = 0; bit < cidr.prefixLength(); bit++) {
      bytes[bit / Byte.SIZE] |= (byte) (1 << (Byte.SIZE - 1 - bit % Byte.SIZE));
    }
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static void address(JsonGenerator json, IpAddress address, Listed listed)
      throws IOException {
    json.writeStringField("Address", address.toString());
    json.writeObjectFieldStart("IPAMKey");
    json.writeStringField("networkName", listed.network());
    json.writeStringField("containerID", "");
    json.writeStringField("ifName", "");
    json.writeEndObject();
    IpamMetadata pod = listed.pod();
    json.writeObjectFieldStart("IPAMMetadata");
    if (!pod.podNamespace().isEmpty()) {
      json.writeStringField("k8sPodNamespace", pod.podNamespace());
    }
    if (!pod.podName().isEmpty()) {
      json.writeStringField("k8sPodName", pod.podName());
    }
    if (pod.interfacesCount() != 0) {
      json.writeNumberField("interfacesCount", pod.interfacesCount());
    }
    json.writeEndObject();
    json.writeStringField("AssignedTime", listed.assigned());
    json.writeStringField("UnassignedTime", listed.unassigned());
  }
}

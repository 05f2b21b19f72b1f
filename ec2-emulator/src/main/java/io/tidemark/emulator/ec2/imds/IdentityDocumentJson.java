package io.tidemark.emulator.ec2.imds;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.model.Region;
import java.time.temporal.ChronoUnit;

/** Writes the instance identity document ("Instance identity documents", EC2 User Guide). */
final class IdentityDocumentJson {
  private static final JsonMapper JSON = new JsonMapper();

  private IdentityDocumentJson() {}

  static String write(Region region, Instance instance, NetworkInterface primary) {
    String architecture = instance.type().hardware().architectures().get(0);
    ObjectNode out = JSON.createObjectNode();
    out.put("accountId", instance.ownerId())
        .put("architecture", architecture)
        .put("availabilityZone", instance.placement().zone().name())
        .putNull("billingProducts")
        .putNull("devpayProductCodes")
        .putNull("marketplaceProductCodes")
        .put("imageId", instance.launch().imageId())
        .put("instanceId", instance.id())
        .put("instanceType", instance.type().name())
        .putNull("kernelId")
        .put("pendingTime", instance.launch().time().truncatedTo(ChronoUnit.SECONDS).toString())
        .put("privateIp", primary.addresses().primary().toString())
        .putNull("ramdiskId")
        .put("region", region.name())
        .put("version", "2017-09-30");
    return out.toPrettyString();
  }
}

package io.tidemark.emulator.ec2.imds;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.emulator.ec2.model.Ec2Instance;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.sts.RoleArn;
import java.time.temporal.ChronoUnit;

/** Writes the documents of the metadata service that are JSON. */
final class Ec2MetadataJson {
  private static final JsonMapper JSON = new JsonMapper();

  private Ec2MetadataJson() {}

  /** The instance identity document ("Instance identity documents", EC2 User Guide). */
  static String identity(Region region, Ec2Instance instance, Ec2NetworkInterface primary) {
    return JSON.createObjectNode()
        .put("accountId", instance.ownerId())
        .put("architecture", instance.type().hardware().architectures().get(0))
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
        .put("version", "2017-09-30")
        .toPrettyString();
  }

  /** The profile of the instance's role ("Retrieve security credentials", User Guide). */
  static String info(RoleCredentials role, RoleCredentials.Given given) {
    return start(given)
        .put("InstanceProfileArn", role.profileArn())
        .put("InstanceProfileId", RoleArn.idOf("AIPA", role.profileArn()))
        .toPrettyString();
  }

  /** The credentials of the instance's role. */
  static String credentials(RoleCredentials.Given given) {
    return start(given)
        .put("Type", "AWS-HMAC")
        .put("AccessKeyId", given.session().accessKeyId())
        .put("SecretAccessKey", given.session().secretAccessKey())
        .put("Token", given.session().token())
        .put("Expiration", given.session().expiration().toString())
        .toPrettyString();
  }

  private static ObjectNode start(RoleCredentials.Given given) {
    return JSON.createObjectNode()
        .put("Code", "Success")
        .put("LastUpdated", given.since().truncatedTo(ChronoUnit.SECONDS).toString());
  }
}

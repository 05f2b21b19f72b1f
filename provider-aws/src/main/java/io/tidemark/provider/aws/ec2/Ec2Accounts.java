package io.tidemark.provider.aws.ec2;

import io.tidemark.provider.aws.ec2.Ec2Failure.Ending;
import io.tidemark.spi.InterfaceId;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * EC2 of one account, or of two (provider-aws 7.2): one owns VPC, subnets and the interfaces that
 * are created, the other the instances. Thread-safe.
 */
public final class Ec2Accounts {
  private static final Logger LOG = LoggerFactory.getLogger(Ec2Accounts.class);

  /** EC2's codes for an interface of another account. */
  private static final Set<String> NOT_THE_OWNER =
      Set.of(
          "UnauthorizedOperation",
          "AuthFailure",
          "OperationNotPermitted",
          "InvalidNetworkInterfaceID.NotFound");

  private static final int REMEMBERED_MAX = 20_000;

  private final Ec2Api network;
  private final Ec2Api instances;
  private final Optional<String> instancesAccount;

  /** Interfaces that belong to the instances' account. */
  private final Set<InterfaceId> ofInstances = ConcurrentHashMap.newKeySet();

  private Ec2Accounts(Ec2Api network, Ec2Api instances, Optional<String> instancesAccount) {
    this.network = network;
    this.instances = instances;
    this.instancesAccount = instancesAccount;
  }

  public static Ec2Accounts one(Ec2Api ec2) {
    return new Ec2Accounts(ec2, ec2, Optional.empty());
  }

  /** Two accounts; {@code instancesAccount} is the id of that which owns the instances. */
  public static Ec2Accounts two(Ec2Api network, Ec2Api instances, String instancesAccount) {
    return new Ec2Accounts(network, instances, Optional.of(instancesAccount));
  }

  /** Whether it is one: of two, that of the instances does not see what it may not attach. */
  public boolean isOne() {
    return instancesAccount.isEmpty();
  }

  /** EC2 as the account of the instances, or as that of the network. */
  public Ec2Api as(boolean accountOfInstances) {
    return accountOfInstances ? instances : network;
  }

  /**
   * Creates an interface. It is opened to the instances' account before anybody hears of it, or it
   * is deleted; so with two accounts a creation is two requests.
   */
  public AwsNetworkInterface create(CreateInterfaceRequest request) throws Ec2Failure {
    AwsNetworkInterface created = network.createNetworkInterface(request);
    if (instancesAccount.isPresent()) {
      try {
        network.createNetworkInterfacePermission(created.id(), instancesAccount.get());
      } catch (Ec2Failure refused) {
        delete(created.id());
        throw refused;
      }
    }
    return created;
  }

  private void delete(InterfaceId id) {
    try {
      network.deleteNetworkInterface(id);
    } catch (Ec2Failure left) {
      LOG.warn(
          "Interface {}, which account {} may not attach, could not be deleted: {}",
          id,
          instancesAccount.orElse(""),
          left.text());
    }
  }

  /** Which of the two accounts may say it is not documented: the second is asked when refused. */
  public void modifyDeleteOnTermination(InterfaceId id, String attachmentId, boolean wanted)
      throws Ec2Failure {
    try {
      instances.modifyDeleteOnTermination(id, attachmentId, wanted);
    } catch (Ec2Failure refused) {
      if (isOne() || refused.ending() != Ending.REFUSED || refused.httpStatus() >= 500) {
        throw refused;
      }
      network.modifyDeleteOnTermination(id, attachmentId, wanted);
    }
  }

  /**
   * Sends a request about the addresses of an interface as its owner: the network's account, or for
   * the one that an instance was launched with the other one. A refusal has done nothing, so the
   * second account is asked then, and first from then on.
   */
  public <T> T byOwner(InterfaceId id, Ec2Api.Request<T> request) throws Ec2Failure {
    if (isOne() || ofInstances.contains(id)) {
      return request.send(instances);
    }
    try {
      return request.send(network);
    } catch (Ec2Failure refused) {
      if (!NOT_THE_OWNER.contains(refused.code())) {
        throw refused;
      }
      T answer = sendBySecond(request, refused);
      if (ofInstances.size() < REMEMBERED_MAX) {
        ofInstances.add(id);
      }
      return answer;
    }
  }

  /** If neither may, the first refusal is reported: that account is the one that should. */
  private <T> T sendBySecond(Ec2Api.Request<T> request, Ec2Failure refused) throws Ec2Failure {
    try {
      return request.send(instances);
    } catch (Ec2Failure second) {
      throw NOT_THE_OWNER.contains(second.code()) ? refused : second;
    }
  }
}

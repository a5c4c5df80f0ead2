// The lines one types into sacctmgr: "add account A share=3", "add user u account=A maxjobs=2",
// "add qos high priority=100", "modify qos high set preempt=low".
//
// A site without any still has the root account, and the QOS "normal" that slurmdbd begins with.

#include "base/text.hpp"
#include "platforms/importers/line_cursor.hpp"
#include "schedulers/slurm/site/accounting_option.hpp"
#include "schedulers/slurm/site/read_site.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

class Sacctmgr {
public:
  explicit Sacctmgr(SlurmAccounting& accounting) : accounting_(accounting) {
    SlurmQos normal;
    normal.name = "normal";
    accounting_.qos.push_back(normal);
    SlurmAssociation root;
    root.account = "root";
    root.qos = {"normal"};
    accounting_.associations.push_back(root);
    add_user("root", "root", {});
  }

  void take(LineCursor& cursor) {
    if (cursor.at_end() || cursor.next_is('#')) return;
    const std::string verb = next(cursor, "a verb");
    const std::string what = next(cursor, "what it is about");
    const std::string name = next(cursor, "a name");
    const std::vector<AccountingOption> options = rest(cursor);
    if (!same_key(verb, "add") && !same_key(verb, "create") && !same_key(verb, "modify"))
      throw cursor.error("a line begins with add or modify, not '" + printable(verb) + "'");
    const bool add = !same_key(verb, "modify");
    if (same_key(what, "qos")) return take_qos(cursor, name, options, add);
    if (same_key(what, "account")) return take_account(cursor, name, options, add);
    if (same_key(what, "user")) return take_user(cursor, name, options, add);
    if (same_key(what, "cluster")) return;
    throw cursor.error("'" + printable(what) + "' is not qos, account or user");
  }

private:
  static std::string next(LineCursor& cursor, const std::string& what) {
    cursor.skip_space();
    std::string word(cursor.word());
    if (word.empty()) throw cursor.error("lacks " + what);
    return word;
  }

  static std::vector<AccountingOption> rest(LineCursor& cursor) {
    std::vector<AccountingOption> options;
    while (!cursor.at_end()) {
      AccountingOption option;
      cursor.skip_space();
      option.place = cursor.place();
      const std::string word(cursor.word());
      if (same_key(word, "set") || same_key(word, "where")) continue;
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos)
        throw InputError(option.place, "", "'" + printable(word) + "' has no value");
      option.key = word.substr(0, equals);
      option.value = word.substr(equals + 1);
      options.push_back(option);
    }
    return options;
  }

  void take_qos(LineCursor& cursor, const std::string& name,
                const std::vector<AccountingOption>& options, bool add) {
    int index = accounting_.qos_index(name);
    if (index < 0 && !add) throw cursor.error("no qos '" + printable(name) + "'");
    if (index < 0) {
      index = static_cast<int>(accounting_.qos.size());
      accounting_.qos.emplace_back();
      accounting_.qos.back().name = name;
    }
    for (const AccountingOption& option : options)
      take_qos_option(accounting_.qos[static_cast<std::size_t>(index)], option);
  }

  void take_account(LineCursor& cursor, const std::string& name,
                    const std::vector<AccountingOption>& options, bool add) {
    int index = accounting_.association_index(name, "");
    if (index < 0 && !add) throw cursor.error("no account '" + printable(name) + "'");
    if (index < 0) {
      SlurmAssociation account;
      account.account = name;
      account.parent = 0;
      index = static_cast<int>(accounting_.associations.size());
      accounting_.associations.push_back(account);
    }
    for (const AccountingOption& option : options) {
      if (same_key(option.key, "parent")) {
        const int parent = accounting_.association_index(option.value, "");
        if (parent < 0) throw InputError(option.place, "", "no account '" + option.value + "'");
        accounting_.associations[static_cast<std::size_t>(index)].parent = parent;
        continue;
      }
      take_association_option(accounting_.associations[static_cast<std::size_t>(index)], option);
    }
  }

  void add_user(const std::string& name, const std::string& account,
                const std::vector<AccountingOption>& options) {
    SlurmAssociation user;
    user.account = account;
    user.user = name;
    user.parent = accounting_.association_index(account, "");
    for (const AccountingOption& option : options)
      if (!same_key(option.key, "account")) take_association_option(user, option);
    accounting_.associations.push_back(user);
    accounting_.default_accounts.emplace(name, account);
  }

  void take_user(LineCursor& cursor, const std::string& name,
                 const std::vector<AccountingOption>& options, bool add) {
    const auto account =
        std::find_if(options.begin(), options.end(),
                     [](const AccountingOption& each) { return same_key(each.key, "account"); });
    if (add) {
      if (account == options.end()) throw cursor.error("a user needs account=");
      if (accounting_.association_index(account->value, "") < 0)
        throw InputError(account->place, "", "no account '" + printable(account->value) + "'");
      return add_user(name, account->value, options);
    }
    for (SlurmAssociation& each : accounting_.associations) {
      if (each.user != name) continue;
      if (account != options.end() && each.account != account->value) continue;
      for (const AccountingOption& option : options)
        if (!same_key(option.key, "account")) take_association_option(each, option);
    }
  }

  SlurmAccounting& accounting_;
};

}  // namespace

void read_sacctmgr_lines(SlurmSite& site, const std::string& file, const std::string& text) {
  Sacctmgr reader(site.accounting);
  for (const TextLine& line : lines_of(file, text)) {
    LineCursor cursor(file, line);
    reader.take(cursor);
  }
}

}  // namespace trainyard::slurm

"""Word lists of the English rules: closed classes, and open ones by what they say about a person."""

from __future__ import annotations

from typing import Final


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def _joined(text: str) -> str:
    """Join the comma-separated parts of a text into an alternation for a pattern."""
    return "|".join(part.strip() for part in text.strip().split(","))


#: Adverbs that may occur between subject and verb without changing the statement.
ADVERBS: Final = words(
    "also still just really actually currently now always usually often never mostly mainly generally "
    "typically "
    "sometimes rarely seldom hardly primarily normally recently finally already only absolutely totally "
    "truly "
    "definitely strongly personally genuinely particularly especially kinda sorta almost ever even "
    "occasionally "
    "frequently regularly basically honestly simply deeply greatly much all secretly then originally "
    "previously formerly briefly exclusively largely quite rather very so too both lately presently nowadays "
    "officially happily proudly desperately seriously slowly quickly fully completely utterly newly daily "
    "weekly "
    "mildly severely highly extremely super pretty fairly natively fluently eventually constantly "
    "permanently"
)
#: Adverbs that make a clause a doubt or a guess.
HEDGES: Final = words(
    "probably maybe perhaps possibly supposedly apparently allegedly hypothetically theoretically"
)
FREQUENCY: Final = words(
    "always usually often never mostly mainly generally typically sometimes rarely seldom normally regularly "
    "frequently occasionally daily weekly"
)
BE: Final = words("am is are was were be been being")
HAVE: Final = words("have has had having")
DO: Final = words("do does did")
MODALS: Final = words("can could will would shall should may might must")
NEGATIVES: Final = {
    "don't": "do", "doesn't": "do", "didn't": "did", "can't": "can", "cannot": "can", "couldn't": "could",
    "won't": "will", "wouldn't": "would", "shouldn't": "should", "mustn't": "must", "isn't": "is",
    "aren't": "are",
    "wasn't": "was", "weren't": "were", "haven't": "have", "hasn't": "have", "hadn't": "had", "ain't": "am",
    "mightn't": "might", "needn't": "must",
}  # fmt: skip
#: Contractions as people type them without the apostrophe.
BARE_CONTRACTIONS: Final = {"im": "I'm", "ive": "I've"} | {said.replace("'", ""): said for said in NEGATIVES}

IRREGULAR_PAST: Final = {
    "was": "be", "were": "be", "began": "begin", "became": "become", "bought": "buy", "broke": "break",
    "brought": "bring", "built": "build", "came": "come", "caught": "catch", "chose": "choose", "did": "do",
    "drank": "drink", "drove": "drive", "ate": "eat", "fell": "fall", "felt": "feel", "found": "find",
    "flew": "fly", "forgot": "forget", "gave": "give", "got": "get", "went": "go", "grew": "grow",
    "had": "have",
    "heard": "hear", "held": "hold", "kept": "keep", "knew": "know", "learnt": "learn", "left": "leave",
    "led": "lead", "lost": "lose", "made": "make", "meant": "mean", "met": "meet", "paid": "pay",
    "quit": "quit",
    "ran": "run", "rode": "ride", "said": "say", "sang": "sing", "sat": "sit", "saw": "see", "sent": "send",
    "slept": "sleep", "sold": "sell", "spent": "spend", "spoke": "speak", "stood": "stand", "swam": "swim",
    "taught": "teach", "thought": "think", "threw": "throw", "told": "tell", "took": "take", "tried": "try",
    "understood": "understand", "woke": "wake", "won": "win", "wore": "wear", "wrote": "write",
    "married": "marry",
}  # fmt: skip
IRREGULAR_PARTICIPLES: Final = {
    "been": "be", "become": "become", "begun": "begin", "broken": "break", "chosen": "choose", "come": "come",
    "done": "do", "driven": "drive", "eaten": "eat", "fallen": "fall", "flown": "fly", "forgotten": "forget",
    "given": "give", "gone": "go", "gotten": "get", "grown": "grow", "known": "know", "run": "run",
    "ridden": "ride",
    "seen": "see", "sung": "sing", "spoken": "speak", "sworn": "swear", "taken": "take", "worn": "wear",
    "written": "write", "drunk": "drink", "given_up": "give",
}  # fmt: skip
#: Base forms that end like a past tense.
NOT_PAST: Final = words(
    "need feed speed breed bleed embed exceed proceed succeed seed heed weed shed wed bed red"
)
NOT_PROGRESSIVE: Final = words(
    "boring interesting king spring string thing nothing something anything everything evening morning "
    "willing "
    "outgoing hard-working hardworking easygoing"
)

#: Verbs that in the first person present are about the conversation or the moment, not about the person.
FLEETING_VERBS: Final = words(
    "think guess mean suppose feel hope wish want need know see understand agree disagree say tell ask "
    "wonder "
    "appreciate apologise apologize bet doubt believe remember forget get thank suggest promise swear assume "
    "imagine recommend notice hear admit confess realise realize expect seem look sound owe beg insist "
    "regret mind "
    "care give make let keep try trust find call go come put send receive click press type open close "
    "enter select "
    "paste upload download install execute compile set add return import print start stop end begin miss "
    "leave "
    "wait hold stand sit lie bring turn change show point repeat refer request propose declare deny figure "
    "fail "
    "check test debug restart reload switch move pass copy delete remove create update define convert "
    "parse run "
    "quote joke kid laugh cry sigh bow love like hate stay happen finish accept reject buy deserve rest face "
    "submit use plan intend aim decide commit push pull merge rebase reboot log attach follow consider "
    "compare attempt act pretend "
    "would could should might may must shall will can do have be am is are was were gotta gonna wanna "
    "lemme dunno admire"
)
#: Verbs of saying, thinking and wanting in the third person. What follows them is not the speaker's
#: statement.
SPEECH: Final = _joined(
    "says,said,say,tells,told,tell,thinks,thought,think,believes,believed,believe,claims,claimed,claim,"
    "asks,asked,"
    "ask,writes,wrote,replies,replied,mentions,mentioned,insists,insisted,suggests,suggested,hears,heard,"
    "guesses,"
    "assumes,assumed,wants,wanted,wishes,hopes,hoped,expects,expected,recommends,recommended,reckons,"
    "swears,swore,"
    "jokes,joked,complains,complained,argues,argued,explains,explained,announced,texted,emailed,yelled,"
    "shouted,"
    "whispered,added,admits,admitted,states,stated,notes,noted,posted,tweeted,commented,warned,warns,"
    "keeps saying,kept saying,keeps telling,keeps asking,was like,is like,goes like,reads,knows that,feels "
    "that"
)
TRANSIENT_STATES: Final = words(
    "tired hungry thirsty busy late sick ill happy sad sorry sure fine good well great okay ok back here "
    "there ready "
    "done stuck confused lost afraid glad excited bored annoyed angry mad upset stressed worried nervous "
    "anxious "
    "curious surprised impressed grateful thankful exhausted sleepy awake drunk hungover cold hot warm wet "
    "early "
    "off out home away free available online offline alone right wrong correct serious kidding joking "
    "aware certain "
    "unsure able unable about going trying getting having doing wondering thinking asking looking feeling "
    "sitting "
    "standing waiting hoping guessing assuming talking saying telling just having being seeing running "
    "heading "
    "leaving dying starving freezing crying laughing enjoying loving liking watching listening reading "
    "eating "
    "drinking sleeping calling texting sending asking attaching pasting dizzy jealous proud disappointed "
    "frustrated "
    "overwhelmed speechless delighted pleased relieved amazed shocked honored honoured flattered welcome "
    "down up "
    "in on at all so very too really pretty quite kinda super happy-ish feeling under not such like as "
    "okay-ish "
    "better worse shook dead gone finished open closed slow broken empty full ugly nice cute lovely cool "
    "funny weird"
)
#: Adjectives and participles that stay true of a person for long.
LASTING_STATES: Final = _joined(
    "vegan,vegetarian,pescatarian,pescetarian,flexitarian,celiac,coeliac,diabetic,asthmatic,epileptic,"
    "lactose[- ]intolerant,gluten[- ](?:free|intolerant),dairy[- ]free,kosher,halal,teetotal,sober,"
    "autistic,dyslexic,"
    "neurodivergent,bipolar,deaf,blind,hard of hearing,colou?r[- ]?blind,near-?sighted,far-?sighted,"
    "short-?sighted,"
    "left[- ]handed,right[- ]handed,ambidextrous,bilingual,trilingual,multilingual,self[- ]taught,self[- "
    "]employed,"
    "freelance,freelancing,unemployed,retired,semi-retired,single,married,divorced,widowed,engaged,"
    "separated,pregnant,"
    "adopted,introverted,extroverted,shy,gay,lesbian,bisexual,bi,straight,trans,transgender,non-?binary,"
    "queer,asexual,"
    "christian,catholic,protestant,orthodox,muslim,jewish,buddhist,hindu,sikh,atheist,agnostic,religious,"
    "mormon,"
    "american,british,english,scottish,irish,welsh,canadian,australian,french,german,italian,spanish,"
    "portuguese,dutch,"
    "belgian,swiss,austrian,swedish,norwegian,danish,finnish,icelandic,polish,czech,slovak,hungarian,"
    "romanian,"
    "bulgarian,greek,turkish,russian,ukrainian,chinese,japanese,korean,taiwanese,vietnamese,thai,indian,"
    "pakistani,"
    "bangladeshi,filipino,filipina,indonesian,malaysian,singaporean,iranian,iraqi,israeli,lebanese,"
    "egyptian,moroccan,"
    "nigerian,kenyan,ghanaian,ethiopian,south african,brazilian,argentinian,mexican,colombian,chilean,"
    "peruvian,cuban,"
    "asian,african,european,latino,latina,half[- ]\\w+,a vegetarian,enrolled,homeschooled,tall,short,bald,"
    "tattooed,"
    "nocturnal,lactose,immunocompromised,anaemic,anemic,insomniac,childless,child-?free,orphaned,ticklish,"
    "claustrophobic,arachnophobic,hypertensive,disabled,visually impaired,hearing impaired,tone[- ]deaf,"
    "easygoing,"
    "outgoing,organized,organised,punctual,ambitious,competitive,lazy,impatient,curious by nature,forgetful"
)
#: Nouns after "I have" or "my" that belong to the conversation, the task or the moment.
FLEETING_NOUNS: Final = _joined(
    "questions?,problems?,issues?,ideas?,headache,hangover,meeting,call,feeling,doubts?,bugs?,errors?,"
    "exceptions?,"
    "suggestions?,requests?,favou?r,look,points?,choice,time,fun,cold,fever,flu,lists?,arrays?,strings?,"
    "data ?frames?,"
    "dataset,tables?,columns?,files?,folders?,functions?,class,classes,scripts?,code,codes,variables?,"
    "loops?,dict,"
    "dictionary,json,csv,quer(?:y|ies),regex,css,html,pages?,div,buttons?,guess,understanding,opinions?,"
    "concerns?,bad,"
    "apolog(?:y|ies),outputs?,programs?,tests?,prompts?,turn,head,stomach,back,feet,legs?,arm,throat,"
    "thoughts?,sense,"
    "luck,clue,feedback,comments?,answers?,mistakes?,mood,day,morning,evening,night,week,weekend,lunch,"
    "dinner,"
    "breakfast,pleasure,say,way,impression,confession,request,typo,text,paragraph,essay,sentence,image,"
    "picture,photo,"
    "screenshot,inputs?,tabs? open,tabs,windows? open,link,url,object,method,model,matrix,equation,formula,"
    "assignment,homework,exercise,half an hour,"
    "minute,minutes,moment,second,hour,respect,love,word,point of view,screen,wifi,internet,connection,"
    "computer screen"
)
PEOPLE: Final = _joined(
    "sister,brother,wife,husband,mum,mom,mother,mommy,mama,dad,father,daddy,papa,son,daughter,kid,kids,"
    "child,children,"
    "baby,toddler,partner,girlfriend,boyfriend,fianc[eé]e?,spouse,uncle,aunt,auntie,cousin,niece,nephew,"
    "grandma,"
    "grandmother,granny,nan,grandpa,grandfather,grandad,granddad,grandparents,grandson,granddaughter,"
    "grandchild(?:ren)?,"
    "stepmother,stepfather,stepson,stepdaughter,stepbrother,stepsister,stepdad,stepmom,half-brother,"
    "half-sister,"
    "godson,goddaughter,godmother,godfather,friends?,bestie,boss,manager,supervisor,advisor,adviser,"
    "colleagues?,"
    "co-?workers?,teammates?,team ?lead,roommates?,flatmates?,housemates?,neighbou?rs?,teacher,professor,"
    "tutor,mentor,"
    "coach,therapist,doctor,dentist,psychiatrist,physio,vet,landlord,landlady,lawyer,accountant,twins?,"
    "twin sister,"
    "twin brother,parents,siblings?,sisters,brothers,sons,daughters,in-laws,mother-in-law,father-in-law,"
    "sister-in-law,"
    "brother-in-law,son-in-law,daughter-in-law,ex,ex-wife,ex-husband,co-?founders?,intern,assistant,client,"
    "clients,"
    "nanny,babysitter,trainer,instructor,cto,ceo,director,family,girl,boy,hubby,missus,other half,better "
    "half,pal,mate"
)
PETS: Final = _joined(
    "dogs?,cats?,pupp(?:y|ies),kittens?,parrots?,rabbits?,bunn(?:y"
    "|ies),hamsters?,guinea pigs?,horses?,pon(?:y|ies),"
    "goldfish,fish,turtles?,tortoises?,birds?,budgies?,pets?,snakes?,lizards?,geckos?,ferrets?,chickens?,"
    "hens?,goats?,"
    "beagle,labrador,poodle,corgi,retriever,golden retriever,husky,terrier,dachshund,greyhound,bulldog,collie"
)
#: Attributes of which a person has one at a time. A new value ends the old one.
SINGLE_ATTRIBUTES: Final = _joined(
    "name,first name,last name,full name,surname,middle name,nickname,birthday,date of birth,age,email,"
    "email address,"
    "phone number,number,address,home address,postcode,zip code,time ?zone,height,weight,blood type,"
    "nationality,"
    "native language,mother tongue,first language,employer,job title,job,occupation,profession,salary,boss,"
    "manager,"
    "supervisor,wife,husband,spouse,partner,girlfriend,boyfriend,fianc[eé]e?,hometown,home town,birthplace,"
    "star sign,"
    "zodiac sign,deadline,budget,anniversary,wedding anniversary,shoe size,pronouns,major,default branch,"
    "fav(?:ou?rite)? \\w[\\w -]*,preferred \\w[\\w -]*,database,editor,ide,text editor,operating system,os,"
    "user ?name,"
    "emergency contact,license plate,bedtime"
)
#: Verbs of life goals, as opposed to requests to an assistant.
GOAL_VERBS: Final = _joined(
    "learn,run a,run the,run my,run \\d+,lose,gain,visit,travel,move,buy,become,start,quit,stop,save,"
    "finish,complete,"
    "retire,launch,publish,master,get promoted,get certified,get married,get a job,get a degree,get my "
    "degree,get my licen[cs]e,get my driver,get my phd,get my master,get into,"
    "get better,get in shape,get fit,get healthier,get fluent,pass,read more,read \\d+,improve my,write a "
    "book,"
    "write a novel,write my,climb,hike,cycle,swim,train,graduate,apply,open a,open my,grow,own a,own my,"
    "adopt,build a,"
    "build my,renovate,switch,transition,pursue,study,earn,pay off,invest,cut down,cut back,reduce,give up,"
    "go back to,"
    "go vegan,go to college,go to university,eat healthier,eat more,eat less,drink less,drink more,sleep "
    "more,be fluent,"
    "be a,be an,be able,have a family,have kids,raise,release,ship,migrate,speak,play,compete,win,break,"
    "reach,achieve,"
    "hit,join,leave,sell,emigrate,relocate,settle,volunteer,teach,sign up,enrol,enroll,practise,practice,"
    "exercise,"
    "work abroad,work for,work at,work in,spend more,explore,see the,tour,sail,surf,paint,compose,record,"
    "deploy,expand,"
    "double,triple,hire,raise money,go freelance,reach,celebrate,propose,start a,take up,take a course,"
    "take my"
)
#: Names of tools, so that moving to a tool is not read as moving house.
TECHNOLOGY: Final = _joined(
    "python,java,kotlin,scala,rust,go,golang,ruby,php,perl,swift,dart,elixir,erlang,haskell,clojure,"
    "javascript,"
    "typescript,react,vue,angular,svelte,solid,next\\.?js,nuxt,node(?:\\.?js)?,deno,bun,django,flask,"
    "fastapi,rails,"
    "laravel,spring,postgres(?:ql)?,mysql,mariadb,sqlite,mongodb,redis,kafka,rabbitmq,elasticsearch,"
    "clickhouse,docker,"
    "podman,kubernetes,k8s,nomad,helm,terraform,ansible,jenkins,github(?: actions)?,gitlab(?: ci)?,"
    "bitbucket,git,"
    "aws,azure,gcp,google cloud,heroku,vercel,netlify,cloudflare,linux,ubuntu,debian,fedora,arch,nixos,nix,"
    "macos,"
    "windows,android,ios,vim,neovim,emacs,vs ?code,intellij,pycharm,webpack,vite,rollup,npm,pnpm,yarn,"
    "poetry,uv,pip,"
    "pytest,jest,figma,slack,teams,notion,obsidian,jira,linear,tailwind,bootstrap,graphql,grpc,rest,"
    "microservices,"
    "monorepo,serverless,lambda,spark,airflow,dbt,snowflake,bigquery,tensorflow,pytorch,jax,c\\+\\+,c#,"
    "\\.net,sql,bash,"
    "zsh,fish,tmux,excel,photoshop,blender,unity,unreal,godot,wordpress,shopify,stripe,firefox,chrome,"
    "safari,brave,"
    "the cloud,cloud,trunk-based development,agile,scrum,kanban"
)
